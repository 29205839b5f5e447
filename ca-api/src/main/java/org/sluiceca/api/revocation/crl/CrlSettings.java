package org.sluiceca.api.revocation.crl;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaTerms;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How CRLs are issued and published, as it is written.
 *
 * @param period from one scheduled CRL to the next. An hour is what a relying party that looks when
 *     it must, at nextUpdate, never notices, and one that looks often does
 * @param lifetime from the time of issue to nextUpdate: how long an outage of the HSM may last
 *     before relying parties have no CRL. A day is what CA/Browser Forum's 24 hours for publishing
 *     allow
 * @param shards over how many CRLs new certificates of each issuer are spread; 1 for one CRL
 * @param delta of delta CRLs
 * @param directory where CRLs are also written, such as a web server's root; none if absent
 */
public record CrlSettings(
    @DefaultValue("1h") Duration period,
    @DefaultValue("24h") Duration lifetime,
    @DefaultValue("1") int shards,
    @DefaultValue Delta delta,
    @Nullable Path directory) {

  /** Of 100,000 entries each: a hundred million revoked certificates. */
  private static final int SHARDS_MAX = 999;

  /**
   * Delta CRLs.
   *
   * @param interval from one delta to the next; null for none at all
   * @param lifetime from the time of issue to nextUpdate: how long an outage of the HSM may last
   *     before relying parties that take deltas have none. Two hours are less than a certificate
   *     that was revoked should be trusted by a client that reads more than complete CRLs
   */
  public record Delta(@Nullable Duration interval, @DefaultValue("2h") Duration lifetime) {}

  public CrlSettings {
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "sluice.crl.shards must be 1 to %d: %d", SHARDS_MAX, shards));
    }
  }

  /** Returns when they come. */
  public CrlTerms terms() {
    return new CrlTerms(
        period,
        lifetime,
        delta.interval() == null
            ? Optional.empty()
            : Optional.of(new DeltaTerms(delta.interval(), delta.lifetime())));
  }
}
