package org.sluiceca.api.audit.export;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.store.AuditPages.Filter;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.audit.ExportForm;

/**
 * What a request wants of the trail, after it was judged.
 *
 * @param filter of the rows
 * @param hasCheckpoints whether checkpoints are wanted: without a filter by kind, or by theirs
 * @param after the place to go on from
 * @param given the parameters but {@code after}, as they go into the address of the next page
 */
record ExportQuery(Filter filter, boolean hasCheckpoints, ExportPlace after, String given) {

  private static final String AFTER = "after";
  private static final String FROM = "from";
  private static final String BEFORE = "before";
  private static final String KIND = "kind";
  private static final int YEAR_MIN = 1;
  private static final int YEAR_MAX = 9999;
  private static final Set<String> PARAMETERS = Set.of(AFTER, FROM, BEFORE, KIND);

  private static final Set<String> KINDS =
      Stream.concat(
              Arrays.stream(AuditKind.values()).map(AuditKind::text),
              Stream.of(ExportForm.CHECKPOINT))
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Reads the parameters of a query.
   *
   * @throws ProblemException 400 if one is unknown, given twice or not what it should be
   */
  static ExportQuery of(Map<String, List<String>> parameters) {
    Map<String, String> values = new TreeMap<>();
    parameters.forEach(
        (name, all) -> {
          // Else a misspelt filter would be dropped.
          if (!PARAMETERS.contains(name)) {
            throw bad("there is no such parameter; there are after, before, from, kind");
          }
          if (all.size() != 1) {
            throw bad("parameter " + name + " is given more than once");
          }
          values.put(name, all.getFirst());
        });
    List<String> kinds =
        Optional.ofNullable(values.get(KIND)).map(ExportQuery::kinds).orElse(List.of());
    ExportPlace after =
        Optional.ofNullable(values.get(AFTER))
            .map(
                text ->
                    ExportPlace.parse(text)
                        .orElseThrow(() -> bad("after is not a place that an export gave")))
            .orElse(ExportPlace.begin());
    return new ExportQuery(
        new Filter(time(values, FROM), time(values, BEFORE), kinds),
        kinds.isEmpty() || kinds.contains(ExportForm.CHECKPOINT),
        after,
        given(values));
  }

  private static String given(Map<String, String> values) {
    return values.entrySet().stream()
        .filter(value -> !value.getKey().equals(AFTER))
        .map(v -> "&" + v.getKey() + "=" + URLEncoder.encode(v.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining());
  }

  /** At most as many as there are: each is one of them, and none stands there twice. */
  private static List<String> kinds(String text) {
    List<String> kinds = List.of(text.split(",", -1));
    if (Set.copyOf(kinds).size() != kinds.size() || !KINDS.containsAll(kinds)) {
      throw bad(
          "kind is a list of different kinds with commas between them, of "
              + KINDS.stream().sorted().collect(Collectors.joining(", ")));
    }
    return kinds;
  }

  /** Of the years that the database has; nothing else was recorded. */
  private static Optional<Instant> time(Map<String, String> values, String name) {
    return Optional.ofNullable(values.get(name))
        .map(
            text -> {
              try {
                OffsetDateTime time = OffsetDateTime.parse(text);
                if (time.getYear() >= YEAR_MIN && time.getYear() <= YEAR_MAX) {
                  return time.toInstant();
                }
              } catch (DateTimeException e) {
                // Refused below, like a year out of range.
              }
              throw bad(name + " must be a time like 2026-01-31T12:00:00Z");
            });
  }

  private static ProblemException bad(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
