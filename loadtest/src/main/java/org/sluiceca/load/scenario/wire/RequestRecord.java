package org.sluiceca.load.scenario.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.scenario.Kind;

/**
 * One request as Gatling saw it: a line of a file. Times are those of {@link System#nanoTime},
 * which all processes of a machine share.
 *
 * @param phase its number in the run
 * @param key its Idempotency-Key; empty if it issues nothing
 * @param attempt from 0
 * @param dueNanos when it had to be sent
 * @param startedNanos when its virtual user came to life
 * @param sentNanos when Gatling was asked to send it
 * @param doneNanos when the answer was there
 * @param status of HTTP, 0 without an answer
 * @param serial of a 201 or 202, or asked for, in hexadecimal; else empty
 * @param retryAfterSeconds what the answer says; negative if nothing
 * @param problem the last part of the problem's type; empty if there is none
 */
public record RequestRecord(
    Kind kind,
    int phase,
    String requester,
    String key,
    int attempt,
    int node,
    long dueNanos,
    long startedNanos,
    long sentNanos,
    long doneNanos,
    int status,
    String serial,
    int retryAfterSeconds,
    String problem) {

  private static final int FIELDS = 14;

  /** An empty field would end a line without being seen. */
  private static final String NOTHING = "-";

  /** Returns it as a line without its end. */
  public String line() {
    return String.join(
        "\t",
        kind.name(),
        "" + phase,
        requester,
        orNothing(key),
        "" + attempt,
        "" + node,
        "" + dueNanos,
        "" + startedNanos,
        "" + sentNanos,
        "" + doneNanos,
        "" + status,
        orNothing(serial),
        "" + retryAfterSeconds,
        orNothing(problem));
  }

  /**
   * Reads a line; empty if it is not whole, as the last one of a process that was killed.
   *
   * @throws IllegalArgumentException if a whole line is none
   */
  static Optional<RequestRecord> parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length < FIELDS) {
      return Optional.empty();
    }
    return Optional.of(
        new RequestRecord(
            Kind.valueOf(fields[0].toUpperCase(Locale.ROOT)),
            Integer.parseInt(fields[1]),
            fields[2],
            orEmpty(fields[3]),
            Integer.parseInt(fields[4]),
            Integer.parseInt(fields[5]),
            Long.parseLong(fields[6]),
            Long.parseLong(fields[7]),
            Long.parseLong(fields[8]),
            Long.parseLong(fields[9]),
            Integer.parseInt(fields[10]),
            orEmpty(fields[11]),
            Integer.parseInt(fields[12]),
            orEmpty(fields[13])));
  }

  /** Returns where the requests of a phase are written. */
  public static Path file(Path folder, int phase) {
    return folder.resolve(Text.format("shots-%04d.tsv", phase));
  }

  /** Reads all of a phase; none if nothing was sent in it. */
  public static List<RequestRecord> read(Path folder, int phase) throws IOException {
    List<RequestRecord> records = new ArrayList<>();
    Path file = file(folder, phase);
    if (Files.exists(file)) {
      try (BufferedReader lines = Files.newBufferedReader(file)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          parse(line).ifPresent(records::add);
        }
      }
    }
    return records;
  }

  /** Returns whether the answer is what was asked for. */
  public boolean isServed() {
    return kind.isIssuance() ? status == 201 : status == 200;
  }

  /** Returns whether the answer is an order, whose certificate comes later. */
  public boolean isPromised() {
    return kind.isIssuance() && status == 202;
  }

  /** Returns whether the service refused it for load, with Retry-After. */
  public boolean isRefusedWell() {
    return (status == 429 || status == 503) && retryAfterSeconds > 0;
  }

  /** Returns how long the client waited, from when the request was due. */
  public double latencyMillis() {
    return (doneNanos - dueNanos) / 1e6;
  }

  /** Returns how late its virtual user came to life; 0 if it was in time. */
  public double startedLateMillis() {
    return Math.max(0, (startedNanos - dueNanos) / 1e6);
  }

  /** Returns it as what the judges of load plans know. */
  public Exchange exchange(String phaseName) {
    return new Exchange(
        new Exchange.Request(key, phaseName, requester, attempt),
        node,
        dueNanos,
        sentNanos,
        doneNanos,
        status,
        (status == 201 || status == 202) && !serial.isEmpty()
            ? Optional.of(serial)
            : Optional.empty(),
        retryAfterSeconds < 0 ? OptionalInt.empty() : OptionalInt.of(retryAfterSeconds),
        false);
  }

  private static String orNothing(String field) {
    return field.isEmpty() ? NOTHING : field.replaceAll("[\t\r\n]", " ");
  }

  private static String orEmpty(String field) {
    return field.equals(NOTHING) ? "" : field;
  }
}
