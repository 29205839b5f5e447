package org.sluiceca.blackbox;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.acme.CertificateId;

/** The part of the script that renews and revokes certificates. */
final class AcmeScriptCertificates {

  private final AcmeScript script;

  AcmeScriptCertificates(AcmeScript script) {
    this.script = script;
  }

  void run() throws Exception {
    renewals();
    revocations();
    byOthers();
  }

  private static Map<String, Object> replacing(String id, String... names) {
    return Map.of("identifiers", AcmeScript.identifiers("dns", names), "replaces", id);
  }

  private Answer replacing(String request, AcmeClient client, String id, String... names) {
    return script.note(
        "replaces: " + request, client.post(client.url("newOrder"), replacing(id, names)));
  }

  private void renewals() throws Exception {
    AcmeClient client = script.registered();
    String name = "renewed.pebble.example";
    byte[] der = script.certificate(client, AcmeClient.newKey(), name);
    X509Certificate certificate = Answer.certificate(der);
    String id = CertificateId.of(certificate);
    String information = client.url("renewalInfo") + "/";
    script.note("renewal information: GET", script.plain("GET", information + id));
    script.note("renewal information: HEAD", script.plain("HEAD", information + id));
    script.note("renewal information: POST-as-GET", client.post(information + id, null));
    String authority = id.substring(0, id.indexOf('.'));
    script.note("renewal information: no id", script.plain("GET", information + "none"));
    script.note(
        "renewal information: no base64url", script.plain("GET", information + "AA==.AA=="));
    script.note(
        "renewal information: unknown serial number",
        script.plain("GET", information + authority + ".AQIDBAUGBwg"));
    script.note(
        "renewal information: another issuer",
        script.plain(
            "GET", information + AcmeClient.encode(new byte[20]) + id.substring(id.indexOf('.'))));

    AcmeClient other = script.registered();
    replacing("no id", client, "none", name);
    replacing("unknown serial number", client, authority + ".AQIDBAUGBwg", name);
    replacing("certificate of another account", other, id, name);
    replacing("no name in common", client, id, "another.pebble.example");
    replacing("one name in common", client, id, name, "another.pebble.example");
    Answer order = replacing("good", client, id, name);
    replacing("certificate with an open order", client, id, name);
    if (order.status() == 201) {
      String finalizing = script.proven(client, order).path("finalize").asString();
      var _ =
          client.finish(
              order.header("Location"),
              finalizing,
              Pkcs10.naming(AcmeClient.newKey(), "DNS:" + name));
    }
    replacing("replaced certificate", client, id, name);
    client.post(client.url("revokeCert"), Map.of("certificate", AcmeClient.encode(der))).is(200);
    script.note("renewal information: revoked certificate", script.plain("GET", information + id));
  }

  private Answer revoke(String request, Answer answer) {
    return script.note("revoke: " + request, answer);
  }

  private static Map<String, Object> certificate(byte[] der) {
    return Map.of("certificate", AcmeClient.encode(der));
  }

  private static Map<String, Object> certificate(byte[] der, Object reason) {
    return Map.of("certificate", AcmeClient.encode(der), "reason", reason);
  }

  private void revocations() throws Exception {
    AcmeClient client = script.registered();
    String url = client.url("revokeCert");
    byte[] first = script.certificate(client, AcmeClient.newKey(), "r1.pebble.example");
    revoke("reason 7", client.post(url, certificate(first, 7)));
    revoke("reason 11", client.post(url, certificate(first, 11)));
    revoke("reason is a text", client.post(url, certificate(first, "superseded")));
    revoke("reason below 0", client.post(url, certificate(first, -1)));
    revoke("no certificate", client.post(url, Map.of()));
    revoke("POST-as-GET", client.post(url, null));
    revoke("no base64url", client.post(url, Map.of("certificate", "*")));
    revoke("no DER", client.post(url, certificate(new byte[] {1, 2, 3})));
    revoke(
        "certificate of another CA",
        client.post(url, certificate(Pkcs10.selfSigned(AcmeClient.newKey()).getEncoded())));
    revoke("by the account", client.post(url, certificate(first, 4)));
    revoke("by the account again", client.post(url, certificate(first)));

    KeyPair key = AcmeClient.newKey();
    byte[] second = script.certificate(client, key, "r2.pebble.example");
    AcmeClient keyHolder = script.client();
    revoke("by another key", keyHolder.byKey(url, certificate(second)));
    keyHolder.key(key);
    revoke("by the certificate's key", keyHolder.byKey(url, certificate(second, 1)));
    revoke("by the certificate's key again", keyHolder.byKey(url, certificate(second, 1)));
  }

  /** RFC 8555 7.6: an account that holds authorizations for all names may revoke. */
  private void byOthers() throws Exception {
    AcmeClient owner = script.registered();
    AcmeClient other = script.registered();
    String url = owner.url("revokeCert");
    String name = "r3.pebble.example";
    byte[] der = script.certificate(owner, AcmeClient.newKey(), name);
    revoke("by another account", other.post(url, certificate(der)));
    Answer order = AcmeScript.order(other, AcmeScript.identifiers("dns", name)).is(201);
    var _ = script.proven(other, order);
    revoke("by another account with its names proven", other.post(url, certificate(der)));
    revoke("GET", script.plain("GET", url));
    List<String> none = List.of();
    revoke("payload is a list", other.post(url, none));
  }
}
