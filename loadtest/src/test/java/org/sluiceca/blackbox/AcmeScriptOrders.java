package org.sluiceca.blackbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The part of the script that makes orders and reads what belongs to them. */
final class AcmeScriptOrders {

  private final AcmeScript script;

  AcmeScriptOrders(AcmeScript script) {
    this.script = script;
  }

  void run() {
    newOrders();
    oddNames();
    resources();
  }

  private Answer order(String request, AcmeClient client, Object payload) {
    return script.note("order: " + request, client.post(client.url("newOrder"), payload));
  }

  private void newOrders() {
    AcmeClient client = script.registered();
    List<Map<String, String>> one = AcmeScript.identifiers("dns", "one.pebble.example");
    order("one name", client, Map.of("identifiers", one));
    order(
        "several names",
        client,
        Map.of(
            "identifiers",
            AcmeScript.identifiers(
                "dns", "a.pebble.example", "b.pebble.example", "c.pebble.example")));
    order("wildcard", client, names("*.wild.pebble.example"));
    order("wildcard and its name", client, names("*.both.pebble.example", "both.pebble.example"));
    order("IPv4 address", client, Map.of("identifiers", AcmeScript.identifiers("ip", "127.0.0.2")));
    order("IPv6 address", client, Map.of("identifiers", AcmeScript.identifiers("ip", "::2")));
    order("one name twice", client, names("twice.pebble.example", "twice.pebble.example"));
    order("capital letters", client, names("Capital.Pebble.Example"));
    order("profile", client, Map.of("identifiers", one, "profile", "tls-server"));
    order("unknown profile", client, Map.of("identifiers", one, "profile", "none"));
    order(
        "notBefore and notAfter",
        client,
        Map.of(
            "identifiers",
            one,
            "notBefore",
            "2026-01-01T00:00:00Z",
            "notAfter",
            "2026-02-01T00:00:00Z"));
    order("unknown member", client, Map.of("identifiers", one, "more", true));
  }

  private static Map<String, Object> names(String... names) {
    return Map.of("identifiers", AcmeScript.identifiers("dns", names));
  }

  private void oddNames() {
    AcmeClient client = script.registered();
    Map<String, String> odd = new LinkedHashMap<>();
    odd.put("empty name", "");
    odd.put("empty label", "a..pebble.example");
    odd.put("period at the end", "a.pebble.example.");
    odd.put("hyphen first", "-a.pebble.example");
    odd.put("underscore", "a_b.pebble.example");
    odd.put("blank", "a b.pebble.example");
    odd.put("two wildcards", "*.*.pebble.example");
    odd.put("wildcard within", "a.*.pebble.example");
    odd.put("part of a label as wildcard", "a*.pebble.example");
    odd.put("wildcard alone", "*");
    odd.put("254 characters", "a.".repeat(120) + "pebble.example");
    odd.put("label of 64 characters", "a".repeat(64) + ".pebble.example");
    odd.put("other letters than ASCII", "m\u00fcnchen.example");
    odd.put("A-label", "xn--mnchen-3ya.example");
    odd.put("address as a name", "127.0.0.2");
    odd.put("one label", "localhost");
    odd.forEach((request, name) -> order(request, client, names(name)));
    Map<String, String> addresses = new LinkedHashMap<>();
    addresses.put("no address", "address");
    addresses.put("address with a prefix", "127.0.0.2/32");
    addresses.put("address with zeros", "127.000.000.002");
    addresses.put("name as an address", "a.pebble.example");
    addresses.forEach(
        (request, address) ->
            order(request, client, Map.of("identifiers", AcmeScript.identifiers("ip", address))));
    order("no identifiers", client, Map.of());
    order("empty identifiers", client, Map.of("identifiers", List.of()));
    order(
        "unknown type of identifier",
        client,
        Map.of("identifiers", AcmeScript.identifiers("email", "a@a.example")));
    order("identifiers are a text", client, Map.of("identifiers", "a.pebble.example"));
    order(
        "identifier without a type",
        client,
        Map.of("identifiers", List.of(Map.of("value", "a.example"))));
    order("payload is a list", client, List.of());
    order("no payload", client, "");
    script.note("order: POST-as-GET of newOrder", client.post(client.url("newOrder"), null));
  }

  private void resources() {
    AcmeClient client = script.registered();
    AcmeClient other = script.registered();
    Answer order = client.order("res.pebble.example").is(201);
    String url = order.header("Location");
    String authorization = AcmeScript.authorization(order);
    script.note("order: POST-as-GET", client.post(url, null));
    script.note("order: with a payload", client.post(url, Map.of()));
    script.note("order: GET", script.plain("GET", url));
    script.note("order: by another account", other.post(url, null));
    script.note("order: unknown", client.post(unknown(url), null));
    JsonNode pending =
        script.note("authorization: POST-as-GET", client.post(authorization, null)).json();
    script.note("authorization: GET", script.plain("GET", authorization));
    script.note("authorization: by another account", other.post(authorization, null));
    script.note("authorization: unknown", client.post(unknown(authorization), null));
    script.note(
        "authorization: status valid", client.post(authorization, Map.of("status", "valid")));
    script.note(
        "authorization: of a wildcard",
        client.post(AcmeScript.authorization(client.order("*.res.pebble.example").is(201)), null));
    script.note(
        "authorization: of an address",
        client.post(
            AcmeScript.authorization(
                AcmeScript.order(client, AcmeScript.identifiers("ip", "127.0.0.2")).is(201)),
            null));
    String challenge = AcmeScript.challenge(pending, "http-01").path("url").asString();
    script.note("challenge: POST-as-GET", client.post(challenge, null));
    script.note("challenge: GET", script.plain("GET", challenge));
    script.note("challenge: by another account", other.post(challenge, Map.of()));
    script.note("challenge: unknown", client.post(unknown(challenge), Map.of()));
    script.note(
        "authorization: deactivated", client.post(authorization, Map.of("status", "deactivated")));
    script.note("authorization: after that", client.post(authorization, null));
    script.note("order: its authorization is deactivated", client.post(url, null));
    // Pebble 2.10 never answers a POST to a challenge of an authorization that it has shown as
    // deactivated: it keeps the lock that it takes for showing it.
  }

  /** Another URL of the same kind. */
  static String unknown(String url) {
    String[] parts = url.split("/", -1);
    for (int i = parts.length - 1; i > 0; i--) {
      if (parts[i].matches("[A-Za-z0-9_.-]{12,}")) {
        char other = parts[i].charAt(0) == '1' ? '2' : '1';
        parts[i] = other + parts[i].substring(1);
        return String.join("/", parts);
      }
    }
    return url + "1";
  }
}
