package org.sluiceca.load.drill;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.sluiceca.load.drill.client.Granted;

/** The certificates that clients received, compared with what a ledger holds of them. Pure. */
public final class Comparison {

  /** What the ledger says of a certificate that was given. */
  public enum Standing {
    /** Issued, with the same octets. */
    SAME,
    /** Nothing is known of the serial number. */
    MISSING,
    /** Its intent has no outcome: the node that decides it may sign it a second time. */
    UNDECIDED,
    /** Its intent was given up. */
    GIVEN_UP,
    /** Another certificate has the serial number. */
    OTHER
  }

  /**
   * A row of the ledger; digests as of {@link Granted}.
   *
   * @param kind issued, abandoned, or empty while there is no outcome
   */
  record Row(String tbsSha256, String kind, String signatureSha256) {}

  private final Map<Standing, List<Granted>> byStanding;

  /**
   * Compares.
   *
   * @param rows by serial number
   */
  Comparison(List<Granted> granted, Map<String, Row> rows) {
    byStanding = granted.stream().collect(groupingBy(one -> standing(one, rows)));
  }

  private static Standing standing(Granted one, Map<String, Row> rows) {
    Row row = rows.get(one.serial());
    if (row == null) {
      return Standing.MISSING;
    }
    if (!row.tbsSha256().equals(one.tbsSha256())) {
      return Standing.OTHER;
    }
    return switch (row.kind()) {
      case "" -> Standing.UNDECIDED;
      case "issued" ->
          row.signatureSha256().equals(one.signatureSha256()) ? Standing.SAME : Standing.OTHER;
      default -> Standing.GIVEN_UP;
    };
  }

  /** Returns those of a standing. */
  List<Granted> all(Standing standing) {
    return List.copyOf(byStanding.getOrDefault(standing, List.of()));
  }

  /** Returns how many are of a standing. */
  int count(Standing standing) {
    return all(standing).size();
  }

  /** Returns all that the ledger does not hold as they were given, in the order of time. */
  public List<Granted> notThere() {
    return Stream.of(Standing.values())
        .filter(standing -> standing != Standing.SAME)
        .flatMap(standing -> all(standing).stream())
        .sorted(Comparator.comparing(Granted::at))
        .toList();
  }

  /** Returns those of them that were answered no later than {@code moment}. */
  List<Granted> notThereUntil(Instant moment) {
    return notThere().stream().filter(one -> !one.at().isAfter(moment)).toList();
  }

  @Override
  public String toString() {
    return Stream.of(Standing.values())
        .map(standing -> count(standing) + " " + standing.name().replace('_', ' '))
        .collect(joining(", "))
        .toLowerCase(Locale.ROOT);
  }
}
