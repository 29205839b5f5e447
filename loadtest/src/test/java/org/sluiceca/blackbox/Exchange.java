package org.sluiceca.blackbox;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The answer to one request of ACME without what differs from run to run: values are replaced by
 * their classes, and what has no order is sorted.
 *
 * @param request its name in the script
 * @param parts the answer's parts by name: {@code answer} (status, media type, problem), headers by
 *     their names, members of the body by their paths
 */
record Exchange(String request, SortedMap<String, String> parts) {

  /** Status, media type and type of the problem, in one. */
  static final String ANSWER = "answer";

  /** A part that one side does not have. */
  static final String ABSENT = "-";

  private static final String PROBLEM = "application/problem+json";
  private static final String PREFIX = "urn:ietf:params:acme:error:";
  private static final Pattern RELATION = Pattern.compile("rel=\"?([A-Za-z-]+)\"?");
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,}");

  /** Members whose values are words of the protocol, or what the client itself has sent. */
  private static final Set<String> WORDS = Set.of("status", "type", "value", "algorithms");

  Exchange {
    parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
  }

  /** Normalises an answer. */
  static Exchange of(String request, Answer answer) {
    SortedMap<String, String> parts = new TreeMap<>();
    boolean isProblem = answer.mediaType().equals(PROBLEM);
    boolean isJson = isProblem || answer.mediaType().equals("application/json");
    JsonNode body = isJson && answer.body().length > 0 ? answer.json() : null;
    parts.put(
        ANSWER,
        (answer.status()
                + " "
                + (isProblem && body != null
                    ? body.path("type").asString("without type").replace(PREFIX, "")
                    : answer.mediaType()))
            .strip());
    put(parts, "Location", answer.header("Location").isEmpty() ? "" : "url");
    put(parts, "Link", relations(answer.headers("Link")));
    put(parts, "Replay-Nonce", answer.header("Replay-Nonce").isEmpty() ? "" : "nonce");
    put(parts, "Retry-After", answer.header("Retry-After").isEmpty() ? "" : "time");
    put(parts, "Cache-Control", answer.header("Cache-Control"));
    put(parts, "Allow", words(answer.header("Allow")));
    if (body != null) {
      members(parts, "", body, isProblem);
    } else if (answer.mediaType().equals("application/pem-certificate-chain")) {
      parts.put("certificates", String.valueOf(answer.text().split("BEGIN CERT", -1).length - 1));
    }
    return new Exchange(request, parts);
  }

  /**
   * The same without parts that depend on how far the server has come when it answers: a challenge
   * or a request may be processing still or have ended.
   */
  Exchange unsettled() {
    SortedMap<String, String> settled = new TreeMap<>(parts);
    settled
        .keySet()
        .removeAll(Set.of("status", "validated", "certificate", "error.type", "Retry-After"));
    return new Exchange(request, settled);
  }

  boolean isSuccess() {
    return parts.getOrDefault(ANSWER, "").startsWith("2");
  }

  /** Returns whether the object is there that a part is a member of. */
  boolean hasParent(String part) {
    int dot = part.lastIndexOf('.');
    if (dot < 0) {
      return true;
    }
    String parent = part.substring(0, dot);
    return parts.containsKey(parent)
        || parts.keySet().stream().anyMatch(name -> name.startsWith(parent + "."));
  }

  private static void put(SortedMap<String, String> parts, String name, String value) {
    if (!value.isEmpty()) {
      parts.put(name, value);
    }
  }

  private static String relations(List<String> links) {
    Set<String> found = new TreeSet<>();
    for (String link : links) {
      Matcher relation = RELATION.matcher(link);
      while (relation.find()) {
        found.add(relation.group(1));
      }
    }
    return String.join(" ", found);
  }

  private static String words(String list) {
    return String.join(" ", new TreeSet<>(List.of(list.strip().split("\\s*,\\s*"))));
  }

  private static void members(
      SortedMap<String, String> parts, String path, JsonNode body, boolean isProblem) {
    body.properties()
        .forEach(
            member -> {
              String name = member.getKey();
              // The first part has these of a problem.
              if (!isProblem || !(name.equals("type") || name.equals("status"))) {
                value(parts, path.isEmpty() ? name : path + "." + name, name, member.getValue());
              }
            });
  }

  private static void value(
      SortedMap<String, String> parts, String path, String name, JsonNode value) {
    if (value.isObject()) {
      parts.put(path, "object");
      members(parts, path, value, false);
    } else if (value.isArray()) {
      elements(parts, path, name, value);
    } else {
      parts.put(path, classOf(name, value));
    }
  }

  private static void elements(
      SortedMap<String, String> parts, String path, String name, JsonNode array) {
    List<String> classes = new ArrayList<>();
    for (JsonNode element : array) {
      if (element.isObject()) {
        String type = element.path("type").asString("").replace(PREFIX, "");
        boolean isNamed = element.has("value");
        String key = isNamed ? type + " " + element.path("value").asString() : type;
        classes.add(key);
        if (!isNamed) {
          members(parts, path + "[" + type + "]", element, false);
        }
      } else {
        classes.add(classOf(name, element));
      }
    }
    parts.put(path, classes.isEmpty() ? "none" : String.join(", ", new TreeSet<>(classes)));
  }

  private static String classOf(String name, JsonNode value) {
    if (value.isBoolean()) {
      return value.asString();
    }
    if (!value.isString()) {
      return value.getNodeType().name().toLowerCase(Locale.ROOT);
    }
    String text = value.asString();
    if (WORDS.contains(name)) {
      return text.replace(PREFIX, "");
    }
    if (text.startsWith("https://")) {
      return "url";
    }
    if (TOKEN.matcher(text).matches()) {
      return "token";
    }
    return isTime(text) ? "time" : "text";
  }

  private static boolean isTime(String text) {
    try {
      var _ = Instant.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }
}
