package org.sluiceca.client.operate;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A profile that the service has checked, in lines for a reader. Pure. */
final class ProfileWords {
  private final JsonNode profile;
  private final List<String> lines = new ArrayList<>();

  private ProfileWords(JsonNode profile) {
    this.profile = profile;
  }

  /** One line: the file, and as what it could be stored. */
  static String heading(String file, JsonNode profile) {
    return String.format(
        Locale.ROOT,
        "%s: %s as %s version %d",
        file,
        profile.path("stored").asBoolean(false) ? "stored already" : "could be stored",
        profile.path("name").asString("-"),
        profile.path("version").asInt(0));
  }

  /** The heading, then a line or more for each part of a certificate. */
  static List<String> of(String file, JsonNode profile) {
    ProfileWords words = new ProfileWords(profile);
    words.lines.add(heading(file, profile));
    words.add("description", profile.path("description").asString(""));
    words.add("issuer", profile.path("issuer").asString("-"));
    words.add("lane", profile.path("lane").asString("-"));
    words.validity();
    words.add("keys", words.keys());
    words.subject();
    words.names();
    words.extensions();
    words.add("refused", words.refused());
    words.add("digest", profile.path("digest").asString("-"));
    words.add("file sha256", profile.path("sha256").asString("-"));
    return words.lines;
  }

  private void add(String title, String text) {
    lines.add(String.format(Locale.ROOT, "  %-12s %s", title, text));
  }

  /** The title stands in the first line alone. */
  private void add(String title, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      add(i == 0 ? title : "", texts.get(i));
    }
  }

  private void validity() {
    JsonNode validity = profile.path("validity");
    String duration = validity.path("duration").asString("");
    String backdate = validity.path("backdate").asString("");
    add(
        "valid",
        List.of(
            duration.isEmpty()
                ? "until " + validity.path("notAfter").asString("-")
                : "for " + time(duration),
            "from "
                + (backdate.isEmpty() ? "the service's allowance for late clocks" : time(backdate))
                + " before the request on",
            validity.path("clampToIssuer").asBoolean(false)
                ? "ends with its issuer where that is earlier"
                : "refused where the issuer ends earlier"));
  }

  private String keys() {
    JsonNode key = profile.path("key");
    return key.path("algorithms")
        .valueStream()
        .map(one -> one.asString("-"))
        .map(
            name ->
                name.equals("rsa")
                    ? String.format(
                        Locale.ROOT,
                        "rsa of %d to %d bits",
                        key.path("rsaBitsMin").asInt(0),
                        key.path("rsaBitsMax").asInt(0))
                    : name)
        .collect(Collectors.joining(", "));
  }

  private void subject() {
    List<String> attributes = new ArrayList<>();
    for (JsonNode one : profile.path("subject").values()) {
      StringBuilder text =
          new StringBuilder(one.path("attribute").asString("-"))
              .append(": ")
              .append(one.path("presence").asString("-"));
      if (one.has("value")) {
        text.append(", ").append(one.path("value").asString(""));
        text.append(
            one.path("replace").asBoolean(false)
                ? ", whatever the request says"
                : ", and a request with another value is refused");
      }
      if (one.has("default")) {
        text.append(", by default ").append(one.path("default").asString(""));
      }
      if (one.has("pattern")) {
        text.append(", matches ").append(one.path("pattern").asString(""));
      }
      attributes.add(text.toString());
    }
    add("subject", attributes.isEmpty() ? List.of("empty") : attributes);
  }

  private void names() {
    JsonNode names = profile.path("subjectAltName");
    if (!names.isObject()) {
      add("names", "none");
      return;
    }
    List<String> texts = new ArrayList<>();
    texts.add(
        list(names.path("forms"), " or ")
            + ", at most "
            + names.path("countMax").asInt(0)
            + (names.path("required").asBoolean(false) ? ", at least one" : "")
            + (names.path("wildcards").asBoolean(false) ? ", wildcards too" : ", no wildcards"));
    if (names.path("commonNameAsDns").asBoolean(false)) {
      texts.add("a common name is one of them");
    }
    for (Map.Entry<String, JsonNode> count : names.path("countMaxOf").properties()) {
      texts.add("at most " + count.getValue().asInt(0) + " of form " + count.getKey());
    }
    addList(texts, "permitted ", names.path("permitted"));
    addList(texts, "excluded ", names.path("excluded"));
    for (Map.Entry<String, JsonNode> pattern : names.path("patterns").properties()) {
      texts.add(pattern.getKey() + " matches " + pattern.getValue().asString(""));
    }
    addList(texts, "schemes of uri ", names.path("uriSchemes"));
    addList(texts, "added by the profile ", names.path("add"));
    if (!names.path("fromRequest").asBoolean(true)) {
      texts.add("none from the request");
    }
    add("names", texts);
  }

  private void extensions() {
    JsonNode extensions = profile.path("extensions");
    add("key usage", list(extensions.path("keyUsage"), ", "));
    if (!extensions.path("extendedKeyUsage").isEmpty()) {
      add("purposes", list(extensions.path("extendedKeyUsage"), ", "));
    }
    add(
        "revocation",
        switch (extensions.path("revocation").asString("")) {
          case "crl" -> "a CRL, and OCSP";
          case "never_available" -> "no information, ever (RFC 9608)";
          default -> "not stated";
        });
    List<String> others = new ArrayList<>();
    for (JsonNode one : extensions.path("other").values()) {
      others.add(
          one.path("oid").asString("-")
              + (one.path("critical").asBoolean(false) ? ", critical" : "")
              + ": "
              + (one.has("text")
                  ? one.path("text").asString("")
                  : "DER " + one.path("derHex").asString("")));
    }
    add("adds", others);
    if (!extensions.path("policies").isEmpty()) {
      add("policies", list(extensions.path("policies"), ", "));
    }
  }

  private List<String> refused() {
    List<String> texts = new ArrayList<>();
    texts.add("any other key, attribute of the subject or form of name");
    JsonNode ignored = profile.path("extensions").path("ignoreRequested");
    texts.add(
        ignored.isEmpty()
            ? "any other extension that is asked for"
            : "any other extension that is asked for; dropped: " + list(ignored, ", "));
    return texts;
  }

  private static void addList(List<String> texts, String before, JsonNode list) {
    if (!list.isEmpty()) {
      texts.add(before + list(list, ", "));
    }
  }

  private static String list(JsonNode list, String between) {
    return list.valueStream().map(one -> one.asString("-")).collect(Collectors.joining(between));
  }

  /** An ISO 8601 duration in words, such as {@code 90 days}; itself if it is none. */
  static String time(String text) {
    try {
      Duration duration = Duration.parse(text);
      List<String> parts = new ArrayList<>();
      part(parts, duration.toDaysPart(), "day");
      part(parts, duration.toHoursPart(), "hour");
      part(parts, duration.toMinutesPart(), "minute");
      part(parts, duration.toSecondsPart(), "second");
      return parts.isEmpty() ? "0 seconds" : String.join(" ", parts);
    } catch (DateTimeParseException e) {
      return text;
    }
  }

  private static void part(List<String> parts, long number, String unit) {
    if (number != 0) {
      parts.add(number + " " + unit + (number == 1 ? "" : "s"));
    }
  }
}
