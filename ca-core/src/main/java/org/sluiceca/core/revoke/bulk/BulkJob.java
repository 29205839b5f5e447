package org.sluiceca.core.revoke.bulk;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.UUID;

/**
 * A wish with what its dry run found.
 *
 * @param id random: who has not seen the dry run cannot make its confirmation
 * @param asOf the moment of the selection, to the microsecond: everything recorded before it was
 *     visible to the dry run, and nothing recorded later is ever in it
 * @param selected how many certificates would be revoked
 */
public record BulkJob(UUID id, BulkRevocation wish, Instant asOf, long selected) {

  /** The length of a confirmation in characters. */
  public static final int CONFIRMATION_LENGTH = 64;

  public BulkJob {
    asOf = asOf.truncatedTo(ChronoUnit.MICROS);
    if (selected < 0) {
      throw new IllegalArgumentException("selected " + selected);
    }
  }

  /** Returns the digest that stands for the wish, its moment, its count and its officer, in hex. */
  public String confirmation() {
    // One field a line; none has a line break in it.
    String text =
        String.join(
            "\n",
            "sluice bulk revocation 1",
            id.toString(),
            wish.by().value(),
            wish.selection().toString(),
            wish.reason().label(),
            wish.invalidityDate().map(Instant::toString).orElse(""),
            asOf.toString(),
            Long.toString(selected));
    try {
      byte[] octets =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(octets);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
