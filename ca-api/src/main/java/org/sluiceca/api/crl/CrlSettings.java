package org.sluiceca.api.crl;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.crl.CrlTerms;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How CRLs are issued and published, as it is written.
 *
 * @param period from one scheduled CRL to the next. An hour is what a relying party that looks when
 *     it must, at nextUpdate, never notices, and one that looks often does
 * @param lifetime from thisUpdate to nextUpdate: how long an outage of the HSM may last before
 *     relying parties have no CRL. A day is what CA/Browser Forum's 24 hours for publishing allow
 * @param shards over how many CRLs new certificates of each issuer are spread; 1 for one CRL
 * @param directory where CRLs are put beside, such as a web server's root; none if absent
 */
public record CrlSettings(
    @DefaultValue("1h") Duration period,
    @DefaultValue("24h") Duration lifetime,
    @DefaultValue("1") int shards,
    @Nullable Path directory) {

  /** Of 100,000 entries each: a hundred million revoked certificates. */
  private static final int SHARDS_MAX = 999;

  public CrlSettings {
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException(
          "sluice.crl.shards must be 1 to %d: %d".formatted(SHARDS_MAX, shards));
    }
  }

  /** Returns when they come. */
  public CrlTerms terms() {
    return new CrlTerms(period, lifetime);
  }
}
