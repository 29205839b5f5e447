package org.sluiceca.core.audit;

import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.core.x509.OctetString;

/**
 * The form of an exported trail, one for all who write or verify it: checkpoints in the order of
 * their numbers, rows in the order of chain and sequence, and an end. Each is a row: a checkpoint
 * has its number as the sequence, an end the chain {@link #END}. How a row is written as a line is
 * not known here. Pure.
 */
public final class ExportForm {

  /** Chain and kind of a checkpoint's row. */
  public static final String CHECKPOINT = "audit.checkpoint";

  /** Chain and kind of the last row, which only says that nothing is left out. */
  public static final String END = "audit.export-end";

  private static final String NO_ACTOR = AuditEvent.UNKNOWN_ACTOR;
  private static final String CHECKPOINT_NAME = "{\"checkpoint\":\"";
  private static final String SIGNATURE_NAME = "\",\"signature\":\"";
  private static final String ENDS = "\"}";

  private static final Pattern COUNTS =
      Pattern.compile(
          "\\{\"checkpoints\":([0-9]{1,18}),\"rows\":([0-9]{1,18}),\"filtered\":(true|false)}");

  /**
   * A checkpoint as it is kept.
   *
   * @param signature empty if its node ended before it signed
   */
  public record Stored(long number, OctetString encoded, Optional<OctetString> signature) {}

  /**
   * What an end says.
   *
   * @param isFiltered whether rows or checkpoints were left out on purpose
   */
  public record Counts(long checkpoints, long rows, boolean isFiltered) {}

  private ExportForm() {}

  /** Returns a checkpoint as a row; bytes that are none have the epoch as their time. */
  public static AuditRow row(Stored stored) {
    Optional<Checkpoint> read = Checkpoint.parse(stored.encoded());
    Base64.Encoder base64 = Base64.getEncoder();
    StringBuilder content = new StringBuilder(CHECKPOINT_NAME);
    content.append(base64.encodeToString(stored.encoded().octets()));
    stored
        .signature()
        .ifPresent(s -> content.append(SIGNATURE_NAME).append(base64.encodeToString(s.octets())));
    return new AuditRow(
        CHECKPOINT,
        stored.number(),
        read.map(Checkpoint::takenAt).orElse(Instant.EPOCH),
        CHECKPOINT,
        NO_ACTOR,
        content.append(ENDS).toString(),
        read.map(Checkpoint::previous).orElse(ChainHead.nothing()),
        Checkpoint.hash(stored.encoded()));
  }

  /** Whether a row is meant as a checkpoint. */
  public static boolean isCheckpoint(AuditRow row) {
    return row.chain().equals(CHECKPOINT) && row.kind().equals(CHECKPOINT);
  }

  /** Whether a row is meant as an end. */
  public static boolean isEnd(AuditRow row) {
    return row.chain().equals(END) && row.kind().equals(END);
  }

  /** Reads what {@link #row} gives; empty for anything else. */
  public static Optional<Stored> stored(AuditRow row) {
    String content = row.content();
    if (!isCheckpoint(row) || !content.startsWith(CHECKPOINT_NAME) || !content.endsWith(ENDS)) {
      return Optional.empty();
    }
    String inner = content.substring(CHECKPOINT_NAME.length(), content.length() - ENDS.length());
    int signature = inner.indexOf(SIGNATURE_NAME);
    try {
      Base64.Decoder base64 = Base64.getDecoder();
      Stored read =
          new Stored(
              row.sequence(),
              octets(base64, signature < 0 ? inner : inner.substring(0, signature)),
              signature < 0
                  ? Optional.empty()
                  : Optional.of(
                      octets(base64, inner.substring(signature + SIGNATURE_NAME.length()))));
      return row(read).equals(row) ? Optional.of(read) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static OctetString octets(Base64.Decoder base64, String text) {
    return OctetString.copyOf(base64.decode(text));
  }

  /** Returns the row that ends an export. */
  public static AuditRow end(Instant at, Counts counts) {
    String content =
        String.format(
            Locale.ROOT,
            "{\"checkpoints\":%d,\"rows\":%d,\"filtered\":%b}",
            counts.checkpoints(),
            counts.rows(),
            counts.isFiltered());
    return ChainHead.start(END).next(new AuditEvent(at, END, NO_ACTOR, content));
  }

  /** Reads what {@link #end} gives; empty for anything else. */
  public static Optional<Counts> counts(AuditRow row) {
    Matcher counts = COUNTS.matcher(row.content());
    if (!isEnd(row) || !row.ownHash().equals(row.hash()) || !counts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Counts(
            Long.parseLong(counts.group(1)),
            Long.parseLong(counts.group(2)),
            Boolean.parseBoolean(counts.group(3))));
  }
}
