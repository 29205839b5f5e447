package org.sluiceca.api.ocsp;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.ocsp.StatusRule;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How OCSP answers; part of the configuration, validated here.
 *
 * @param aia whether new certificates of issuers with a responder name it
 * @param lifetime from producedAt to nextUpdate, whole seconds
 * @param nonces whether requests with a nonce get a response of their own, at the price of a
 *     signature each
 * @param neverIssued what is said of serial numbers under which nothing was issued
 * @param cacheEntries how many answers are kept; one takes some 1.3 KB
 * @param cacheBytes how much memory they take at most; 0 for a twelfth of the heap, 8 MB of 96 MB
 * @param signing how many answers are signed at once, half of them such as are kept. With a token
 *     of 5 ms, 32 are a burst of 160 ms
 */
public record OcspSettings(
    @DefaultValue("true") boolean aia,
    @DefaultValue("1h") Duration lifetime,
    @DefaultValue("false") boolean nonces,
    @DefaultValue("unknown") StatusRule.NeverIssued neverIssued,
    @DefaultValue("50000") int cacheEntries,
    @DefaultValue("0") long cacheBytes,
    @DefaultValue("32") int signing) {

  /** A renewed certificate must not meet an answer that outlives the former one's last third. */
  private static final Duration LIFETIME_MAX = Duration.ofDays(7);

  private static final Duration LIFETIME_MIN = Duration.ofMinutes(1);
  private static final int ENTRIES_MAX = 10_000_000;
  private static final long BYTES_MIN = 100_000;

  /**
   * Each waiting request holds one of the connector's request slots, of which there are 96 at
   * least.
   */
  private static final int SIGNING_MAX = 256;

  private static final int HEAP_PART = 12;

  public OcspSettings {
    check(
        lifetime.compareTo(LIFETIME_MIN) >= 0 && lifetime.compareTo(LIFETIME_MAX) <= 0,
        "lifetime must be 1 minute to 7 days");
    check(
        lifetime.equals(lifetime.truncatedTo(ChronoUnit.SECONDS)),
        "lifetime must be whole seconds");
    check(cacheEntries >= 1 && cacheEntries <= ENTRIES_MAX, "cache-entries must be 1 to 10000000");
    check(cacheBytes == 0 || cacheBytes >= BYTES_MIN, "cache-bytes must be 0 or 100000 at least");
    check(signing >= 1 && signing <= SIGNING_MAX, "signing must be 1 to 256");
  }

  private static void check(boolean holds, String fault) {
    if (!holds) {
      throw new IllegalArgumentException("sluice.ocsp." + fault);
    }
  }

  /** Returns how many requests may wait for a place to sign, or for an answer of another's. */
  public int waiting() {
    return signing + signing / 2;
  }

  /** Returns the bounds of the cache. */
  public AnswerCache.Limits limits() {
    long bytes = cacheBytes == 0 ? Runtime.getRuntime().maxMemory() / HEAP_PART : cacheBytes;
    return new AnswerCache.Limits(cacheEntries, bytes, StatusLookups.WAITING_MAX, waiting());
  }
}
