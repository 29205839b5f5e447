package org.sluiceca.blackbox;

import java.security.KeyPair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the script that asks for the directory, nonces and accounts. */
final class AcmeScriptAccounts {

  private static final Map<String, Object> AGREED = Map.of("termsOfServiceAgreed", true);

  private final AcmeScript script;

  AcmeScriptAccounts(AcmeScript script) {
    this.script = script;
  }

  void run() {
    directoryAndNonces();
    accounts();
    contacts();
    bindings();
    keyChanges();
    end();
  }

  private void directoryAndNonces() {
    AcmeClient client = script.registered();
    String directory = script.server().directory();
    script.note("directory: GET", script.plain("GET", directory));
    script.note("directory: HEAD", script.plain("HEAD", directory));
    script.note("directory: POST-as-GET", client.post(directory, null));
    script.note("directory: POST with a payload", client.post(directory, Map.of()));
    script.note("directory: DELETE", script.plain("DELETE", directory));
    String nonce = client.url("newNonce");
    script.note("nonce: HEAD", script.plain("HEAD", nonce));
    script.note("nonce: GET", script.plain("GET", nonce));
    script.note("nonce: POST-as-GET", client.post(nonce, null));
    script.note("nonce: PUT", script.plain("PUT", nonce));
  }

  private void accounts() {
    AcmeClient client = script.client();
    String url = client.url("newAccount");
    script.note("account: GET newAccount", script.plain("GET", url));
    script.note(
        "account: only an existing one, unknown key",
        client.byKey(url, Map.of("onlyReturnExisting", true)));
    script.note("account: new without agreement", script.client().byKey(url, Map.of()));
    Answer made =
        script.note(
            "account: new",
            client.byKey(
                url,
                Map.of("termsOfServiceAgreed", true, "contact", List.of("mailto:a@a.example"))));
    script.note("account: new again", client.byKey(url, AGREED));
    script.note(
        "account: only an existing one", client.byKey(url, Map.of("onlyReturnExisting", true)));
    String own = made.header("Location");
    client.account(own);
    script.note("account: POST-as-GET", client.post(own, null));
    script.note("account: GET", script.plain("GET", own));
    script.note("account: empty update", client.post(own, Map.of()));
    script.note(
        "account: other contact",
        client.post(own, Map.of("contact", List.of("mailto:b@a.example"))));
    script.note("account: no contact", client.post(own, Map.of("contact", List.of())));
    script.note("account: status revoked", client.post(own, Map.of("status", "revoked")));
    script.note("account: status valid", client.post(own, Map.of("status", "valid")));
    script.note("account: of another account", script.registered().post(own, null));
    script.note("account: orders, none yet", client.post(orders(made), null));
    script.note("account: orders of another account", script.registered().post(orders(made), null));
    script.note("account: payload is no object", script.client().byKey(url, List.of()));
  }

  private static String orders(Answer account) {
    return account.json().path("orders").asString(account.header("Location") + "/orders");
  }

  private void contacts() {
    Map<String, String> contacts = new LinkedHashMap<>();
    contacts.put("a telephone", "tel:+15555550100");
    contacts.put("an empty address", "mailto:");
    contacts.put("two addresses in one", "mailto:a@a.example,b@a.example");
    contacts.put("header fields", "mailto:a@a.example?subject=x");
    contacts.put("no URL", "a@a.example");
    contacts.put("other letters than ASCII", "mailto:\u00e4@a.example");
    contacts.forEach(
        (name, contact) -> {
          AcmeClient client = script.client();
          script.note(
              "account: contact is " + name,
              client.byKey(
                  client.url("newAccount"),
                  Map.of("termsOfServiceAgreed", true, "contact", List.of(contact))));
        });
  }

  private AcmeClient bound() {
    return new AcmeClient(script.server().bound(), script.server().boundDirectory());
  }

  private void bindings() {
    String kid = script.server().kid();
    String hmacKey = script.server().hmacKey();
    AcmeClient client = bound();
    String url = client.url("newAccount");
    script.note(
        "binding: directory",
        script.server().bound().get(AcmeClient.path(script.server().boundDirectory())));
    script.note("binding: none", bind(client, null));
    script.note("binding: unknown kid", bind(client, client.binding("none", hmacKey, url)));
    script.note("binding: another key", bind(client, client.binding(kid, "A".repeat(43), url)));
    script.note(
        "binding: another URL", bind(client, client.binding(kid, hmacKey, client.url("newOrder"))));
    script.note(
        "binding: of another account's key", bind(client, bound().binding(kid, hmacKey, url)));
    Map<String, Object> changed = new LinkedHashMap<>(client.binding(kid, hmacKey, url));
    changed.put(
        "protected",
        AcmeClient.encode(Api.ascii(Answer.json(Map.of("alg", "none", "kid", kid, "url", url)))));
    script.note("binding: alg none", bind(client, changed));
    script.note("binding: a text", bind(client, "binding"));
    script.note(
        "binding: only an existing account", client.byKey(url, Map.of("onlyReturnExisting", true)));
    script.note("binding: good", bind(client, client.binding(kid, hmacKey, url)));
    script.note("binding: account again without one", client.byKey(url, AGREED));
  }

  private static Answer bind(AcmeClient client, @Nullable Object binding) {
    Map<String, Object> payload = new LinkedHashMap<>(AGREED);
    if (binding != null) {
      payload.put("externalAccountBinding", binding);
    }
    return client.byKey(client.url("newAccount"), payload);
  }

  private void keyChanges() {
    AcmeClient client = script.registered();
    AcmeClient other = script.registered();
    KeyPair next = AcmeClient.newKey();
    String url = client.url("keyChange");
    Map<String, Object> old =
        Map.of("account", client.account(), "oldKey", AcmeClient.jwk(client.key()));
    script.note(
        "key change: another old key",
        client.post(
            url,
            inner(url, next, Map.of("account", client.account(), "oldKey", AcmeClient.jwk(next)))));
    script.note(
        "key change: another account",
        client.post(
            url,
            inner(
                url,
                next,
                Map.of("account", other.account(), "oldKey", AcmeClient.jwk(client.key())))));
    script.note(
        "key change: no account",
        client.post(url, inner(url, next, Map.of("oldKey", AcmeClient.jwk(client.key())))));
    script.note(
        "key change: another URL inside",
        client.post(url, inner(client.url("newOrder"), next, old)));
    script.note(
        "key change: inner signature by another key",
        client.post(
            url,
            AcmeClient.jws(
                Map.of("alg", "ES256", "jwk", AcmeClient.jwk(next), "url", url),
                old,
                AcmeClient.newKey())));
    script.note(
        "key change: nonce inside",
        client.post(
            url,
            AcmeClient.jws(
                Map.of(
                    "alg",
                    "ES256",
                    "jwk",
                    AcmeClient.jwk(next),
                    "url",
                    url,
                    "nonce",
                    client.freshNonce()),
                old,
                next)));
    // A server that takes the nonce has changed the key of that account: go on with another.
    AcmeClient third = script.registered();
    script.note(
        "key change: key of another account", third.post(url, inner(url, other.key(), of(third))));
    script.note("key change: the same key", third.post(url, inner(url, third.key(), of(third))));
    script.note("key change: no JWS inside", third.post(url, of(third)));
    KeyPair last = AcmeClient.newKey();
    script.note("key change: good", third.post(url, inner(url, last, of(third))));
    script.note("key change: request by the old key", third.post(third.account(), null));
    third.key(last);
    script.note("key change: request by the new key", third.post(third.account(), null));
  }

  private static Map<String, Object> of(AcmeClient client) {
    return Map.of("account", client.account(), "oldKey", AcmeClient.jwk(client.key()));
  }

  private static Map<String, String> inner(String url, KeyPair next, Map<String, ?> payload) {
    return AcmeClient.jws(
        Map.of("alg", "ES256", "jwk", AcmeClient.jwk(next), "url", url), payload, next);
  }

  /** RFC 8555 7.3.6. */
  private void end() {
    AcmeClient client = script.registered();
    Answer order =
        AcmeScript.order(client, AcmeScript.identifiers("dns", "ended.pebble.example")).is(201);
    script.note(
        "end of an account", client.post(client.account(), Map.of("status", "deactivated")));
    script.note("after the end: account", client.post(client.account(), null));
    script.note("after the end: order", client.post(order.header("Location"), null));
    script.note("after the end: new order", client.order("ended.pebble.example"));
    script.note("after the end: account again", client.byKey(client.url("newAccount"), AGREED));
    script.note(
        "after the end: valid again", client.post(client.account(), Map.of("status", "valid")));
  }
}
