package org.sluiceca.load.watch;

import java.time.Instant;
import java.util.Optional;

/**
 * What the ledger holds of one request.
 *
 * @param serial in hexadecimal
 * @param key its Idempotency-Key
 * @param issuer that signs it
 * @param outcome what came of it; empty while it is pending
 */
public record LedgerRow(
    String serial, String requester, String key, String issuer, Optional<Outcome> outcome) {

  /**
   * The end of an intent.
   *
   * @param kind {@code issued} or {@code abandoned}
   * @param node that recorded it, without its life's number
   * @param at by the database's clock, which is this machine's
   */
  public record Outcome(String kind, String node, Instant at) {}

  /** Returns whether a certificate was issued. */
  public boolean isIssued() {
    return outcome.filter(end -> end.kind().equals("issued")).isPresent();
  }
}
