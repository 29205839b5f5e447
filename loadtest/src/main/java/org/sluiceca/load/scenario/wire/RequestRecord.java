package org.sluiceca.load.scenario.wire;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Offer.Kind;
import tools.jackson.databind.json.JsonMapper;

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
@JsonAutoDetect(isGetterVisibility = Visibility.NONE)
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

  private static final JsonMapper JSON = new JsonMapper();

  /** Returns it as a line without its end. */
  public String line() {
    return JSON.writeValueAsString(this);
  }

  /** Returns where the requests of a phase are written. */
  public static Path file(Path folder, int phase) {
    return folder.resolve(Text.format("shots-%04d.jsonl", phase));
  }

  /**
   * Reads all of a phase; none if nothing was sent in it. A last line without an end is left out: a
   * process that was killed wrote a part of it.
   */
  public static List<RequestRecord> read(Path folder, int phase) throws IOException {
    List<RequestRecord> records = new ArrayList<>();
    Path file = file(folder, phase);
    String text = Files.exists(file) ? Files.readString(file) : "";
    text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .forEach(line -> records.add(JSON.readValue(line, RequestRecord.class)));
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
}
