package org.sluiceca.core.audit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A fact that is to become a row of a chain.
 *
 * @param at the recording node's time, to the microsecond, as the database keeps it
 * @param kind what happened, such as {@code credential.revoked}: of a closed set
 * @param actor who did it: a requester, or {@code -} if the actor is not known
 * @param content what else is to be known, a JSON object; no secret, personal data only where the
 *     fact is worth nothing without
 */
public record AuditEvent(Instant at, String kind, String actor, String content) {

  /** The actor of a row whose actor is not known. */
  public static final String UNKNOWN_ACTOR = "-";

  /** The longest content: 200 certificates with their hashes are 25 KB. */
  public static final int CONTENT_OCTETS_MAX = 65_536;

  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9.-]{0,39}");
  private static final Pattern ACTOR = Pattern.compile("[!-~]{1,80}");

  public AuditEvent {
    at = at.truncatedTo(ChronoUnit.MICROS);
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException("not a kind of audit event: " + kind);
    }
    if (!ACTOR.matcher(actor).matches()) {
      throw new IllegalArgumentException("an actor has 1 to 80 printable characters");
    }
    byte[] octets = content.getBytes(StandardCharsets.UTF_8);
    // A half of a surrogate pair, and what PostgreSQL cannot hold: the row would read back
    // otherwise.
    if (!content.equals(new String(octets, StandardCharsets.UTF_8)) || content.indexOf(0) >= 0) {
      throw new IllegalArgumentException("content of kind " + kind + " is not plain text");
    }
    if (octets.length == 0 || octets.length > CONTENT_OCTETS_MAX) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "content of kind %s has %d octets", kind, octets.length));
    }
  }
}
