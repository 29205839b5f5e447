package org.sluiceca.blackbox;

import java.io.Closeable;
import java.io.IOException;
import java.security.KeyPair;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The part of the script that proves names, finalizes and reads certificates. */
final class AcmeScriptProofs {

  private final AcmeScript script;

  AcmeScriptProofs(AcmeScript script) {
    this.script = script;
  }

  void run() throws Exception {
    proofs();
    failures();
    AcmeClient client = script.registered();
    finalizing(client);
    script.note(
        "orders: list",
        client.post(client.post(client.account(), null).json().path("orders").asString(), null));
  }

  private void proofs() throws IOException {
    AcmeClient client = script.registered();
    Answer http = client.order("http.pebble.example").is(201);
    JsonNode challenge = challengeOf(client, http, "http-01");
    try (Closeable _ = AcmeScript.page(client, challenge)) {
      ended("http-01", client, http, challenge);
    }
    script.note(
        "http-01: challenge at the end", client.post(challenge.path("url").asString(), null));
    script.note(
        "http-01: challenge again", client.post(challenge.path("url").asString(), Map.of()));
    script.note("http-01: order", client.post(http.header("Location"), null));
    script.note(
        "http-01: valid authorization deactivated",
        client.post(AcmeScript.authorization(http), Map.of("status", "deactivated")));
    script.note("http-01: order after that", client.post(http.header("Location"), null));

    Answer dns = client.order("*.dns.pebble.example").is(201);
    challenge = challengeOf(client, dns, "dns-01");
    ProofServers.DNS.text(
        "_acme-challenge.dns.pebble.example", client.dnsProof(challenge.path("token").asString()));
    ended("dns-01", client, dns, challenge);
    script.note("dns-01: order", client.post(dns.header("Location"), null));

    Answer tls = client.order("tls.pebble.example").is(201);
    challenge = challengeOf(client, tls, "tls-alpn-01");
    try (Closeable _ = handshake(client, challenge, "tls.pebble.example", ProofServers.MACHINE)) {
      ended("tls-alpn-01", client, tls, challenge);
    }

    Answer ip = AcmeScript.order(client, AcmeScript.identifiers("ip", "127.0.0.2")).is(201);
    challenge = challengeOf(client, ip, "http-01");
    String token = challenge.path("token").asString();
    try (Closeable _ = ProofServers.proof("127.0.0.2", token, client.keyAuthorization(token))) {
      ended("http-01 of an address", client, ip, challenge);
    }
  }

  private static Closeable handshake(
      AcmeClient client, JsonNode challenge, String name, String address) throws IOException {
    return ProofServers.alpn(
        client.key(),
        address,
        "DNS:" + name,
        client.keyAuthorization(challenge.path("token").asString()));
  }

  private static JsonNode challengeOf(AcmeClient client, Answer order, String type) {
    return AcmeScript.challenge(
        client.post(AcmeScript.authorization(order), null).is(200).json(), type);
  }

  private void ended(String request, AcmeClient client, Answer order, JsonNode challenge) {
    script.unsettled(
        request + ": challenge", client.post(challenge.path("url").asString(), Map.of()));
    AcmeScript.status("valid", client.after(AcmeScript.authorization(order), "pending"));
    script.note(
        request + ": authorization at the end", client.post(AcmeScript.authorization(order), null));
  }

  /** At addresses of their own, because the wrong answers are there together. */
  private void failures() throws IOException {
    AcmeClient client = script.registered();
    Map<String, Answer> orders = new LinkedHashMap<>();
    Map<String, JsonNode> challenges = new LinkedHashMap<>();
    Map<String, String> wrong = new LinkedHashMap<>();
    wrong.put("wrong content", "http-01");
    wrong.put("no page", "http-01");
    wrong.put("no server", "http-01");
    wrong.put("no text", "dns-01");
    wrong.put("wrong text", "dns-01");
    wrong.put("certificate of another name", "tls-alpn-01");
    wrong.put("no TLS server", "tls-alpn-01");
    wrong.forEach(
        (request, type) -> {
          String name =
              "x" + request.replace(" ", "-").toLowerCase(Locale.ROOT) + ".pebble.example";
          ProofServers.DNS.address(name, "127.0.0." + (10 + orders.size()));
          Answer order = client.order(name).is(201);
          orders.put(request, order);
          challenges.put(request, challengeOf(client, order, type));
        });
    ProofServers.DNS.text("_acme-challenge.xwrong-text.pebble.example", "A".repeat(43));
    String token = of(challenges, "wrong content").path("token").asString();
    try (Closeable _ = ProofServers.proof("127.0.0.10", token, "wrong");
        Closeable _ = ProofServers.proof("127.0.0.11", "nothing", "wrong");
        Closeable _ =
            handshake(
                client,
                of(challenges, "certificate of another name"),
                "another.pebble.example",
                "127.0.0.15")) {
      challenges.forEach(
          (request, challenge) -> client.post(challenge.path("url").asString(), Map.of()).is(200));
      orders.forEach(
          (request, order) -> {
            var _ = client.after(AcmeScript.authorization(order), "pending");
            script.note(
                "failed: " + request + ": authorization",
                client.post(AcmeScript.authorization(order), null));
          });
    }
    Answer order = of(orders, "no server");
    script.note("failed: order", client.post(order.header("Location"), null));
    script.note(
        "failed: challenge again",
        client.post(of(challenges, "no server").path("url").asString(), Map.of()));
    script.note(
        "failed: finalize",
        client.post(
            order.json().path("finalize").asString(),
            AcmeScript.csr(Pkcs10.naming(AcmeClient.newKey(), "DNS:xno-server.pebble.example"))));
  }

  private static <T> T of(Map<String, T> map, String key) {
    return Optional.ofNullable(map.get(key)).orElseThrow();
  }

  private void finalizing(AcmeClient client) throws Exception {
    String name = "final.pebble.example";
    Answer order = client.order(name).is(201);
    String url = order.json().path("finalize").asString();
    KeyPair key = AcmeClient.newKey();
    byte[] good = Pkcs10.naming(key, "DNS:" + name);
    script.note("finalize: pending order", client.post(url, AcmeScript.csr(good)));
    var _ = script.proven(client, order);
    badRequests(client, url, name, good);
    wrongSignature(client);
    script.unsettled("finalize: good", client.post(url, AcmeScript.csr(good)));
    AcmeScript.status("valid", client.after(order.header("Location"), "processing"));
    JsonNode done =
        script
            .note("finalize: order at the end", client.post(order.header("Location"), null))
            .json();
    script.note("finalize: the same again", client.post(url, AcmeScript.csr(good)));
    script.note(
        "finalize: another one again",
        client.post(url, AcmeScript.csr(Pkcs10.naming(AcmeClient.newKey(), "DNS:" + name))));
    script.note("finalize: GET", script.plain("GET", url));
    String certificate = done.path("certificate").asString();
    script.note("certificate: POST-as-GET", client.post(certificate, null));
    script.note("certificate: alternate", client.post(certificate + "/alternate/1", null));
    script.note("certificate: unknown alternate", client.post(certificate + "/alternate/9", null));
    script.note("certificate: with a payload", client.post(certificate, Map.of()));
    script.note("certificate: GET", script.plain("GET", certificate));
    script.note("certificate: by another account", script.registered().post(certificate, null));
    script.note("certificate: unknown", client.post(AcmeScriptOrders.unknown(certificate), null));
    Answer again = client.order(name).is(201);
    JsonNode ready = script.proven(client, again);
    script.unsettled(
        "finalize: key of an earlier certificate",
        client.post(ready.path("finalize").asString(), AcmeScript.csr(good)));
    var _ = client.after(again.header("Location"), "processing");
    script.note("finalize: that order at the end", client.post(again.header("Location"), null));
  }

  /** An order of its own. */
  private void wrongSignature(AcmeClient client) throws IOException {
    String name = "forged.pebble.example";
    Answer order = client.order(name).is(201);
    JsonNode ready = script.proven(client, order);
    byte[] changed = Pkcs10.naming(AcmeClient.newKey(), "DNS:" + name);
    changed[changed.length - 1] ^= 1;
    script.note(
        "finalize: wrong signature",
        client.post(ready.path("finalize").asString(), AcmeScript.csr(changed)));
    script.note("finalize: order after that", client.post(order.header("Location"), null));
  }

  private void badRequests(AcmeClient client, String url, String name, byte[] good)
      throws IOException {
    script.note("finalize: no csr", client.post(url, Map.of()));
    script.note("finalize: POST-as-GET", client.post(url, null));
    script.note("finalize: no base64url", client.post(url, Map.of("csr", "*")));
    script.note(
        "finalize: PEM", client.post(url, Map.of("csr", "-----BEGIN CERTIFICATE REQUEST-----")));
    script.note("finalize: no DER", client.post(url, AcmeScript.csr(new byte[] {1, 2, 3})));
    Map<String, String> sans = new LinkedHashMap<>();
    sans.put("another name", "DNS:other.pebble.example");
    sans.put("one name more", "DNS:" + name + ",DNS:other.pebble.example");
    sans.put("wildcard instead", "DNS:*.pebble.example");
    sans.put("an address more", "DNS:" + name + ",IP:127.0.0.2");
    for (Map.Entry<String, String> san : sans.entrySet()) {
      script.note(
          "finalize: " + san.getKey(),
          client.post(url, AcmeScript.csr(Pkcs10.naming(AcmeClient.newKey(), san.getValue()))));
    }
    script.note(
        "finalize: key of the account",
        client.post(url, AcmeScript.csr(Pkcs10.naming(client.key(), "DNS:" + name))));
    AcmeClient other = script.registered();
    script.note(
        "finalize: key of another account",
        client.post(url, AcmeScript.csr(Pkcs10.naming(other.key(), "DNS:" + name))));
    script.note("finalize: by another account", other.post(url, AcmeScript.csr(good)));
    script.note(
        "finalize: unknown order",
        client.post(AcmeScriptOrders.unknown(url), AcmeScript.csr(good)));
  }
}
