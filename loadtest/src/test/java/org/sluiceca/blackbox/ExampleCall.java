package org.sluiceca.blackbox;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sluiceca.blackbox.DocumentedOperation.Example;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request as the document's examples have it. Only what no document can know is replaced: {@link
 * #LIVE}.
 *
 * @param chosen which of several examples, by the parameter's name, or "" of the body
 * @param live values that take the place of the documented ones, by name
 * @param accept the media type that is asked for; empty for any
 */
record ExampleCall(
    DocumentedOperation operation,
    Map<String, String> chosen,
    Map<String, String> live,
    String accept) {

  /**
   * Identifiers that the service gives, digests over what it shows, certificates of keys that its
   * ceremony makes, and what can be used once: an issuer's name and a key of idempotency.
   */
  private static final Set<String> LIVE =
      Set.of(
          "serial",
          "id",
          "kid",
          "sha256",
          "confirmation",
          "replaces",
          "certificates",
          "name",
          "request",
          "Idempotency-Key");

  private static final String BODY = "";

  static ExampleCall of(DocumentedOperation operation) {
    return new ExampleCall(operation, Map.of(), Map.of(), "");
  }

  /** With the body of this name, not the first one. */
  ExampleCall saying(String example) {
    return choosing(BODY, example);
  }

  /** With this example of a parameter, not its first one. */
  ExampleCall choosing(String parameter, String example) {
    return new ExampleCall(operation, with(chosen, parameter, example), live, accept);
  }

  /** With a value of this trial in place of the documented one. */
  ExampleCall live(String name, String value) {
    if (!LIVE.contains(name)) {
      throw new IllegalArgumentException(name + " is to be as it is documented");
    }
    return new ExampleCall(operation, chosen, with(live, name, value), accept);
  }

  ExampleCall accepting(String mediaType) {
    return new ExampleCall(operation, chosen, live, mediaType);
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> more = new TreeMap<>(map);
    more.put(key, value);
    return more;
  }

  /**
   * What is sent.
   *
   * @param headers names and values in turn
   * @param examples which examples are in it
   */
  record Request(String target, List<String> headers, BodyPublisher body, Set<String> examples) {}

  /** Sends it. */
  Answer send(Api api) {
    Request request = request();
    return api.with(request.headers().toArray(String[]::new))
        .send(operation.method(), request.target(), request.body());
  }

  /**
   * Returns what is to be sent.
   *
   * @throws IllegalStateException if there is no such example, or nothing that a live value
   *     replaces
   */
  Request request() {
    String target = operation.path();
    List<String> query = new ArrayList<>();
    List<String> headers = new ArrayList<>();
    Set<String> examples = new TreeSet<>();
    Set<String> unused = new TreeSet<>(live.keySet());
    for (JsonNode parameter : operation.parameters()) {
      String name = parameter.path("name").asString("");
      List<Example> documented = operation.examples(parameter);
      if (documented.isEmpty()) {
        continue;
      }
      Example example = chosen(name, documented);
      String value = live.getOrDefault(name, example.value().asString(""));
      examples.add(Examples.sent(operation, name, example));
      unused.remove(name);
      switch (parameter.path("in").asString("")) {
        case "path" -> target = target.replace("{" + name + "}", encoded(value));
        case "query" -> query.add(name + "=" + encoded(value));
        default -> headers.addAll(List.of(name, value));
      }
    }
    BodyPublisher body = body(headers, examples, unused);
    if (!unused.isEmpty()) {
      throw new IllegalStateException(operation.id() + " has nothing documented for " + unused);
    }
    if (!accept.isEmpty()) {
      headers.addAll(List.of("Accept", accept));
    }
    return new Request(
        query.isEmpty() ? target : target + "?" + String.join("&", query), headers, body, examples);
  }

  private BodyPublisher body(List<String> headers, Set<String> examples, Set<String> unused) {
    for (var media : operation.bodies()) {
      for (Example example : operation.examples(media.getValue())) {
        if (chosen.getOrDefault(BODY, example.name()).equals(example.name())) {
          headers.addAll(List.of("Content-Type", media.getKey()));
          examples.add(Examples.sent(operation, media.getKey(), example));
          return BodyPublishers.ofByteArray(replaced(example, media.getKey(), unused));
        }
      }
    }
    if (!operation.bodies().isEmpty()) {
      throw new IllegalStateException(operation.id() + " has no such example of a body");
    }
    return BodyPublishers.noBody();
  }

  private byte[] replaced(Example example, String mediaType, Set<String> unused) {
    String octets = live.get("request");
    if (example.isUri() && octets != null) {
      unused.remove("request");
      return Base64.getDecoder().decode(octets);
    }
    if (!(example.value().deepCopy() instanceof ObjectNode body)) {
      return example.octets(mediaType);
    }
    live.forEach(
        (name, value) -> {
          if (body.has(name)) {
            unused.remove(name);
            if (body.path(name).isNumber()) {
              body.put(name, Long.parseLong(value));
            } else {
              body.put(name, value);
            }
          }
        });
    return new Example(example.name(), body, false).octets(mediaType);
  }

  private Example chosen(String parameter, List<Example> documented) {
    String name = chosen.getOrDefault(parameter, documented.getFirst().name());
    return documented.stream()
        .filter(example -> example.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(operation.id() + " has no " + name));
  }

  private static String encoded(String value) {
    // A form's plus would be a plus in a path.
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
