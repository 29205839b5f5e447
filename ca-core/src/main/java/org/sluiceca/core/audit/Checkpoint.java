package org.sluiceca.core.audit;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.OctetString;

/**
 * The heads of the chains that have grown, and by its hash the checkpoint before it: thus one
 * checkpoint stands for the heads of all chains.
 *
 * @param number from 1, without gaps
 * @param previous the hash of the checkpoint before it; {@link ChainHead#nothing} for the first
 * @param heads in the order of their chains, each once
 */
public record Checkpoint(
    long number, OctetString previous, Instant takenAt, List<ChainHead> heads) {

  /** 1.3 MB at most; further chains that have grown come into the next one. */
  public static final int HEADS_MAX = 10_000;

  private static final String DOMAIN = "sluice audit checkpoint 1";

  public Checkpoint {
    takenAt = takenAt.truncatedTo(ChronoUnit.MICROS);
    heads = List.copyOf(heads);
    if (number < 1 || previous.length() != CanonicalBytes.HASH_OCTETS) {
      throw new IllegalArgumentException("no checkpoint " + number);
    }
    if (heads.isEmpty() || heads.size() > HEADS_MAX) {
      throw new IllegalArgumentException("checkpoint of " + heads.size() + " heads");
    }
    for (int i = 0; i < heads.size(); i++) {
      if (heads.get(i).sequence() < 1
          || (i > 0 && heads.get(i - 1).chain().compareTo(heads.get(i).chain()) >= 0)) {
        throw new IllegalArgumentException("heads not in order, or without a row");
      }
    }
  }

  /** Returns the bytes that are signed, and of which the next checkpoint holds the hash. */
  public OctetString encoded() {
    CanonicalBytes bytes =
        new CanonicalBytes(DOMAIN)
            .number(number)
            .octets(previous.octets())
            .instant(takenAt)
            .number(heads.size());
    for (ChainHead head : heads) {
      bytes.text(head.chain()).number(head.sequence()).octets(head.hash().octets());
    }
    return OctetString.copyOf(bytes.bytes());
  }

  /** Returns the hash by which the next checkpoint names one of these bytes. */
  public static OctetString hash(OctetString encoded) {
    return CanonicalBytes.sha256(encoded.octets());
  }

  /** Reads what {@link #encoded} gives; empty for anything else. */
  public static Optional<Checkpoint> parse(OctetString encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded.octets());
    try {
      if (!text(in).equals(DOMAIN)) {
        return Optional.empty();
      }
      long number = in.getLong();
      OctetString previous = OctetString.copyOf(field(in));
      Instant takenAt = Instant.ofEpochSecond(in.getLong(), in.getLong());
      long count = in.getLong();
      if (count < 1 || count > HEADS_MAX) {
        return Optional.empty();
      }
      List<ChainHead> heads = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        heads.add(new ChainHead(text(in), in.getLong(), OctetString.copyOf(field(in))));
      }
      Checkpoint read = new Checkpoint(number, previous, takenAt, heads);
      // Whatever would be read in two ways does not come back the same.
      return read.encoded().equals(encoded) ? Optional.of(read) : Optional.empty();
    } catch (BufferUnderflowException
        | IllegalArgumentException
        | DateTimeException
        | ArithmeticException e) {
      return Optional.empty();
    }
  }

  private static String text(ByteBuffer in) {
    return new String(field(in), StandardCharsets.UTF_8);
  }

  private static byte[] field(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] octets = new byte[length];
    in.get(octets);
    return octets;
  }
}
