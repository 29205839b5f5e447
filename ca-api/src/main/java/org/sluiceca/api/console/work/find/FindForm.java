package org.sluiceca.api.console.work.find;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;

/**
 * The fields of the search page, as its query has them. What they mean is decided by the search
 * itself; here only days become times, and empty fields are left out.
 */
final class FindForm {

  /** A preset: what expires from today on within that number of days. */
  static final String WITHIN = "within";

  static final String SERIAL = "serial";
  static final String CURSOR = "cursor";
  static final String FORMAT = "format";
  static final String EXPIRES_FROM = "expiresFrom";
  static final String EXPIRES_TO = "expiresTo";

  private static final String STATUS = "status";

  /** Fields that the search has under these names. */
  private static final Map<String, String> SEARCHED =
      Map.of(
          "name",
          "san",
          "subject",
          "subject",
          "requester",
          "requester",
          "profile",
          "profile",
          "issuer",
          "issuer",
          STATUS,
          STATUS,
          CURSOR,
          CURSOR);

  private static final Set<String> OTHERS =
      Set.of(WITHIN, SERIAL, FORMAT, EXPIRES_FROM, EXPIRES_TO);

  private static final int WITHIN_MAX = 366;

  /** Days that a date field of a browser can name, and a certificate can end on. */
  private static final int YEAR_MIN = 1970;

  private static final int YEAR_MAX = 9999;

  private final Map<String, String> fields;

  private FindForm(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * Reads a query.
   *
   * @throws ProblemException if a field is unknown, there twice, or no day where it should be one
   */
  static FindForm of(Map<String, List<String>> query, LocalDate today) {
    Map<String, String> fields = new LinkedHashMap<>();
    query.forEach(
        (name, values) -> {
          if (!SEARCHED.containsKey(name) && !OTHERS.contains(name)) {
            throw bad("the page has no such field");
          }
          if (values.size() != 1) {
            throw bad("the field " + name + " is there more than once");
          }
          String value = values.getFirst().strip();
          if (!value.isEmpty()) {
            fields.put(name, value);
          }
        });
    String within = fields.get(WITHIN);
    if (within != null) {
      fields.put(STATUS, "valid");
      fields.put(EXPIRES_FROM, today.toString());
      fields.put(EXPIRES_TO, today.plusDays(days(within)).toString());
    }
    FindForm form = new FindForm(fields);
    for (String name : List.of(EXPIRES_FROM, EXPIRES_TO)) {
      if (fields.containsKey(name)) {
        LocalDate _ = form.day(name);
      }
    }
    return form;
  }

  private static int days(String text) {
    if (!text.matches("[1-9][0-9]{0,2}") || Integer.parseInt(text) > WITHIN_MAX) {
      throw bad("within must be a number of days from 1 to " + WITHIN_MAX);
    }
    return Integer.parseInt(text);
  }

  private static ProblemException bad(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }

  /** Returns a field's text; empty if it is not there. */
  String field(String name) {
    return fields.getOrDefault(name, "");
  }

  /** Returns all fields that are there; for the template. */
  Map<String, String> fields() {
    return Map.copyOf(fields);
  }

  boolean hasExpiry() {
    return fields.containsKey(EXPIRES_FROM) || fields.containsKey(EXPIRES_TO);
  }

  /** Returns the parameters of {@code GET /v1/certificates} for what the fields ask for. */
  Map<String, List<String>> parameters(int limit) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    SEARCHED.forEach(
        (own, theirs) -> {
          if (fields.containsKey(own)) {
            parameters.put(theirs, List.of(field(own)));
          }
        });
    if (fields.containsKey(EXPIRES_FROM)) {
      // After the last second of the day before: certificates end at whole seconds.
      parameters.put(
          "expiresAfter",
          List.of(
              day(EXPIRES_FROM)
                  .atStartOfDay(ZoneOffset.UTC)
                  .toInstant()
                  .minusSeconds(1)
                  .toString()));
    }
    if (fields.containsKey(EXPIRES_TO)) {
      parameters.put(
          "expiresBefore",
          List.of(day(EXPIRES_TO).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().toString()));
    }
    parameters.put("limit", List.of(Integer.toString(limit)));
    return parameters;
  }

  private LocalDate day(String name) {
    try {
      LocalDate day = LocalDate.parse(field(name));
      if (day.getYear() >= YEAR_MIN && day.getYear() < YEAR_MAX) {
        return day;
      }
    } catch (DateTimeException e) {
      // Refused below, like a year out of range.
    }
    throw bad("an expiry must be a day like 2026-01-31");
  }

  /**
   * Returns the query of the same search at another place.
   *
   * @param more names and values in turn, in the place of what the form has
   */
  String query(String... more) {
    Map<String, String> wanted = new LinkedHashMap<>(fields);
    // Its days stand in the other two, and must stay the same on each page of one search.
    wanted.keySet().removeAll(Set.of(WITHIN, SERIAL, CURSOR, FORMAT));
    for (int i = 0; i < more.length; i += 2) {
      wanted.put(more[i], more[i + 1]);
    }
    UnaryOperator<String> encoded = text -> URLEncoder.encode(text, StandardCharsets.UTF_8);
    return wanted.entrySet().stream()
        .map(field -> encoded.apply(field.getKey()) + "=" + encoded.apply(field.getValue()))
        .collect(Collectors.joining("&", "?", ""));
  }
}
