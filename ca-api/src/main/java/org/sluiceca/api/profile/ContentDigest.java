package org.sluiceca.api.profile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.databind.JsonNode;

/**
 * The digest that distinguishes two versions of a profile file: over its keys and values, in the
 * order of the keys, so that comments and layout do not count.
 */
final class ContentDigest {

  /** The keys that do not decide any certificate. */
  private static final Set<String> LEFT_OUT = Set.of("version", "description", "lane");

  private ContentDigest() {}

  static OctetString of(JsonNode file) {
    StringBuilder canonical = new StringBuilder();
    Map<String, JsonNode> top = new TreeMap<>();
    file.properties().forEach(e -> top.put(e.getKey(), e.getValue()));
    top.keySet().removeAll(LEFT_OUT);
    append(canonical, top);
    try {
      return OctetString.copyOf(
          MessageDigest.getInstance("SHA-256")
              .digest(canonical.toString().getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static void append(StringBuilder canonical, Map<String, JsonNode> properties) {
    canonical.append('{');
    properties.forEach(
        (key, value) -> {
          quote(canonical, key);
          append(canonical, value);
        });
    canonical.append('}');
  }

  private static void append(StringBuilder canonical, JsonNode node) {
    if (node.isObject()) {
      Map<String, JsonNode> properties = new TreeMap<>();
      node.properties().forEach(e -> properties.put(e.getKey(), e.getValue()));
      append(canonical, properties);
    } else if (node.isArray()) {
      canonical.append('[');
      node.forEach(element -> append(canonical, element));
      canonical.append(']');
    } else {
      quote(canonical, node.asString(""));
    }
  }

  /** A length before each text, so that none runs into the next; a scalar counts by its text. */
  private static void quote(StringBuilder canonical, String text) {
    canonical.append(text.length()).append(':').append(text);
  }
}
