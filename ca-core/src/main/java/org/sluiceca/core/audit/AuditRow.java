package org.sluiceca.core.audit;

import java.time.Instant;
import org.sluiceca.core.x509.OctetString;

/**
 * A row of a chain, as it was made or as it was read. A row that was read can hold anything that
 * was written into the database, and is judged by its hashes.
 *
 * @param sequence its place in the chain, from 1
 * @param previous the hash of the row before it
 * @param hash what {@link #ownHash} was when it was made
 */
public record AuditRow(
    String chain,
    long sequence,
    Instant recordedAt,
    String kind,
    String actor,
    String content,
    OctetString previous,
    OctetString hash) {

  private static final String DOMAIN = "sluice audit row 1";

  /** Returns the hash over every other field. */
  public OctetString ownHash() {
    return new CanonicalBytes(DOMAIN)
        .text(chain)
        .number(sequence)
        .octets(previous.octets())
        .instant(recordedAt)
        .text(kind)
        .text(actor)
        .text(content)
        .hash();
  }

  /** Returns the chain's head with this row as its last. */
  public ChainHead head() {
    return new ChainHead(chain, sequence, hash);
  }
}
