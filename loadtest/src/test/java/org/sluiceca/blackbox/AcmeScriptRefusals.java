package org.sluiceca.blackbox;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The part of the script that signs requests as they must not be signed (RFC 8555 6). */
final class AcmeScriptRefusals {

  private static final String JOSE = "application/jose+json";
  private static final Map<String, Object> ORDER =
      Map.of("identifiers", AcmeScript.identifiers("dns", "signed.pebble.example"));

  private final AcmeScript script;
  private final AcmeClient client;
  private final String url;

  AcmeScriptRefusals(AcmeScript script) {
    this.script = script;
    this.client = script.registered();
    this.url = client.url("newOrder");
  }

  void run() {
    headers();
    signers();
    forms();
    mediaTypes();
    urls();
  }

  private Map<String, Object> header() {
    Map<String, Object> header = client.header(url, Map.of("kid", client.account()));
    // The client does not see the nonces of answers to what it has not signed itself.
    header.put("nonce", client.freshNonce());
    return header;
  }

  private void changed(String request, Consumer<Map<String, Object>> change) {
    Map<String, Object> header = header();
    change.accept(header);
    script.note("signed: " + request, client.send(url, header, ORDER));
  }

  private void headers() {
    changed("no url", header -> header.remove("url"));
    changed("url of another resource", header -> header.put("url", client.url("keyChange")));
    changed("url with a query", header -> header.put("url", url + "?a=b"));
    changed("no nonce", header -> header.remove("nonce"));
    changed("unknown nonce", header -> header.put("nonce", "x".repeat(83)));
    changed("nonce is no base64url", header -> header.put("nonce", "a b="));
    Map<String, Object> header = header();
    client.send(url, header, ORDER).is(201);
    script.note("signed: nonce used before", client.send(url, header, ORDER));
    changed("no alg", h -> h.remove("alg"));
    changed("alg none", h -> h.put("alg", "none"));
    changed("alg HS256", h -> h.put("alg", "HS256"));
    changed("alg unknown", h -> h.put("alg", "XX256"));
    changed("alg RS256 with a key of P-256", h -> h.put("alg", "RS256"));
    changed("alg ES384 with a key of P-256", h -> h.put("alg", "ES384"));
    changed("crit", h -> h.put("crit", List.of("url")));
    changed("b64 false", h -> h.put("b64", false));
    changed("unknown member", h -> h.put("more", true));
  }

  private void signers() {
    AcmeClient other = script.registered();
    changed("unknown kid", h -> h.put("kid", AcmeScriptOrders.unknown(client.account())));
    changed("kid of another account", h -> h.put("kid", other.account()));
    changed("kid of another server", h -> h.put("kid", "https://other.example/account/1"));
    changed("kid without URL", h -> h.put("kid", "1"));
    changed("kid and jwk", h -> h.put("jwk", AcmeClient.jwk(client.key())));
    changed("neither kid nor jwk", h -> h.remove("kid"));
    script.note("signed: jwk where kid is due", client.byKey(url, ORDER));
    String account = client.url("newAccount");
    script.note(
        "signed: kid where jwk is due", client.post(account, Map.of("termsOfServiceAgreed", true)));
    Map<String, String> invalid = new LinkedHashMap<>(AcmeClient.jwk(AcmeClient.newKey()));
    invalid.put("x", invalid.get("y"));
    script.note(
        "signed: jwk is no point of its curve",
        client.send(account, client.header(account, Map.of("jwk", invalid)), Map.of()));
    AcmeClient forger = script.registered();
    forger.key(AcmeClient.newKey());
    script.note("signed: by another key", forger.post(url, ORDER));
  }

  private void body(String request, Map<String, Object> jws) {
    script.note("signed: " + request, script.raw(url, JOSE, Answer.json(jws)));
  }

  private Map<String, Object> jws() {
    return new LinkedHashMap<>(AcmeClient.jws(header(), ORDER, client.key()));
  }

  private void forms() {
    Map<String, Object> jws = jws();
    jws.put("header", Map.of("kid", client.account()));
    body("unprotected header", jws);
    jws = jws();
    body(
        "list of signatures", Map.of("payload", jws.remove("payload"), "signatures", List.of(jws)));
    jws = jws();
    jws.put("signature", "");
    body("empty signature", jws);
    jws = jws();
    jws.put("payload", jws.get("payload") + "A");
    body("changed payload", jws);
    jws = jws();
    jws.put("signature", jws.get("signature") + "==");
    body("padded signature", jws);
    jws = jws();
    jws.remove("payload");
    body("no payload", jws);
    jws = jws();
    jws.put("more", true);
    body("unknown member next to the signature", jws);
    Map<String, Object> compact = jws();
    script.note(
        "signed: compact form",
        script.raw(
            url,
            JOSE,
            compact.get("protected")
                + "."
                + compact.get("payload")
                + "."
                + compact.get("signature")));
    script.note("signed: no JSON", script.raw(url, JOSE, "{"));
    script.note("signed: empty body", script.raw(url, JOSE, ""));
  }

  private void mediaTypes() {
    script.note(
        "media type: application/json", script.raw(url, "application/json", Answer.json(jws())));
    script.note(
        "media type: with a parameter",
        script.raw(url, JOSE + "; charset=utf-8", Answer.json(jws())));
    script.note(
        "media type: capital letters",
        script.raw(url, "Application/JOSE+JSON", Answer.json(jws())));
    script.note(
        "media type: none",
        script
            .server()
            .open()
            .send("POST", AcmeClient.path(url), BodyPublishers.ofString(Answer.json(jws()))));
  }

  private void urls() {
    String unknown = url.substring(0, url.lastIndexOf('/')) + "/nothing";
    script.note("URL: unknown, GET", script.plain("GET", unknown));
    script.note("URL: unknown, POST", client.post(unknown, null));
    script.note("URL: GET newOrder", script.plain("GET", url));
    script.note("URL: GET keyChange", script.plain("GET", client.url("keyChange")));
    script.note("URL: PUT newOrder", script.plain("PUT", url));
    script.note("URL: DELETE newAccount", script.plain("DELETE", client.url("newAccount")));
  }
}
