package org.sluiceca.core.audit;

import java.util.regex.Pattern;
import org.sluiceca.core.x509.OctetString;

/**
 * How far a chain has grown: by its hash a head stands for every row up to it.
 *
 * @param chain 1 to 80 printable ASCII characters: a node and its start, or a ceremony
 * @param sequence of the last row; 0 for a chain without rows
 * @param hash of the last row
 */
public record ChainHead(String chain, long sequence, OctetString hash) {

  /** The longest name of a chain. */
  public static final int NAME_MAX = 80;

  private static final Pattern NAME = Pattern.compile("[!-~]{1," + NAME_MAX + "}");

  public ChainHead {
    if (!NAME.matcher(chain).matches()) {
      throw new IllegalArgumentException("not a name of a chain");
    }
    if (sequence < 0 || hash.length() != CanonicalBytes.HASH_OCTETS) {
      throw new IllegalArgumentException("no head of chain " + chain);
    }
  }

  /** Returns the head of a chain that has no row yet. */
  public static ChainHead start(String chain) {
    return new ChainHead(chain, 0, nothing());
  }

  /**
   * Returns the hash that stands for the row before the first: finding its preimage is infeasible.
   */
  public static OctetString nothing() {
    return OctetString.copyOf(new byte[CanonicalBytes.HASH_OCTETS]);
  }

  /** Returns the next row, whose {@link AuditRow#head} is the chain's next head. */
  public AuditRow next(AuditEvent event) {
    AuditRow open =
        new AuditRow(
            chain,
            sequence + 1,
            event.at(),
            event.kind(),
            event.actor(),
            event.content(),
            hash,
            nothing());
    return new AuditRow(
        chain,
        open.sequence(),
        open.recordedAt(),
        open.kind(),
        open.actor(),
        open.content(),
        hash,
        open.ownHash());
  }
}
