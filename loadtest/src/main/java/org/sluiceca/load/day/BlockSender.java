package org.sluiceca.load.day;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.Block;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a block until each of its lines has its certificate, under the same keys each time.
 * Thread-safe.
 */
final class BlockSender {

  /** What a refusal says is honoured up to this. */
  private static final long PAUSE_SECONDS_MAX = 30;

  private static final int SERIAL_DIGITS = 38;

  /** Digits of the last eight octets. */
  private static final int PRINT_DIGITS = 16;

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  private final BatchClient batches;
  private final CsrGenerator generator;
  private final Map<String, String> tokens;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong fresh = new AtomicLong();

  /**
   * Sends through a door.
   *
   * @param tokens by requester
   */
  BlockSender(BatchClient batches, CsrGenerator generator, Map<String, String> tokens) {
    this.batches = batches;
    this.generator = generator;
    this.tokens = Map.copyOf(tokens);
  }

  /** Returns how many lines have their certificate. */
  long answered() {
    return answered.get();
  }

  /** Returns how many of them were issued now, and not replayed. */
  long fresh() {
    return fresh.get();
  }

  /** One line of an answer; the certificate is not looked at. */
  private record Result(
      @Nullable Integer id,
      int status,
      @Nullable String serial,
      boolean replayed,
      long retryAfter) {}

  /** What the lines of a block have come to. Used by one thread. */
  static final class Tally {
    private final Block block;
    private final BitSet there;
    private long fingerprint;
    private int replayed;
    private long pauseSeconds;

    Tally(Block block) {
      this.block = block;
      this.there = new BitSet(block.count());
    }

    boolean isComplete() {
      return there.cardinality() == block.count();
    }

    /** The last eight octets of all serial numbers, added without carry. */
    long fingerprint() {
      return fingerprint;
    }

    int replayed() {
      return replayed;
    }
  }

  /**
   * Sends what a block still lacks, once, to the node at a port; blocks until it is answered.
   *
   * @throws TrialException if the service refuses a line for the line's own fault
   */
  void send(Tally tally, int port) throws InterruptedException {
    tally.pauseSeconds = 0;
    String token = tokens.get(tally.block.requester());
    if (token == null) {
      throw new TrialException("no token of " + tally.block.requester());
    }
    try {
      int status = batches.send(port, token, body(tally), line -> note(tally, line));
      if (status != 200) {
        // All that a batch as a whole can be refused for is too much of it, or a node that ends.
        tally.pauseSeconds = 2;
      }
    } catch (IOException e) {
      tally.pauseSeconds = 1;
    }
    if (!tally.isComplete()) {
      Thread.sleep(Duration.ofSeconds(Math.clamp(tally.pauseSeconds, 1, PAUSE_SECONDS_MAX)));
    }
  }

  private byte[] body(Tally tally) {
    Block block = tally.block;
    StringBuilder lines = new StringBuilder(block.count() * 600);
    for (int i = tally.there.nextClearBit(0);
        i < block.count();
        i = tally.there.nextClearBit(i + 1)) {
      long number = block.from() + i;
      lines
          .append("{\"id\":\"")
          .append(i)
          .append("\",\"profile\":\"tls-server\",\"csr\":\"")
          .append(generator.request(number))
          .append("\",\"idempotencyKey\":\"day-")
          .append(number)
          .append("\"}\n");
    }
    return lines.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Twenty million answers of 1.5 KB: read by tokens, not as trees. */
  private void note(Tally tally, String line) {
    Result result = JSON.readValue(line, Result.class);
    int status = result.status();
    if (result.retryAfter() > 0) {
      tally.pauseSeconds = result.retryAfter();
    }
    if (status >= 400 && status < 500 && status != 409 && status != 429) {
      throw new TrialException("a line was refused: " + line);
    }
    String serial = result.serial();
    Integer id = result.id();
    if (status == 201 && id != null && serial != null && serial.length() == SERIAL_DIGITS) {
      confirm(tally, id, serial, result.replayed());
    }
  }

  private void confirm(Tally tally, int line, String serial, boolean isReplayed) {
    if (line < 0 || line >= tally.block.count() || tally.there.get(line)) {
      throw new TrialException("a result for no request: line " + line);
    }
    tally.there.set(line);
    tally.fingerprint ^= Long.parseUnsignedLong(serial.substring(SERIAL_DIGITS - PRINT_DIGITS), 16);
    tally.replayed += isReplayed ? 1 : 0;
    answered.incrementAndGet();
    if (!isReplayed) {
      fresh.incrementAndGet();
    }
  }
}
