package org.sluiceca.core.revoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Revocable;

/** A certificate's own distribution point says on which CRL it belongs. */
class CrlScopeTest {

  private final Revocable certificates = new Revocable(3);

  @Test
  void of_distributionPoint_itsShard() {
    assertThat(scope(certificates.onCrl("issuing.crl"))).contains(shard(0));
    assertThat(scope(certificates.onCrl("issuing/1.crl"))).contains(shard(1));
    assertThat(scope(certificates.onCrl("issuing/9999.crl"))).contains(shard(9_999));
  }

  @Test
  void of_foreignOrNoDistributionPoint_shardZero() {
    assertThat(scope(certificates.onCrl("issuing/0.crl"))).contains(shard(0));
    assertThat(scope(certificates.onCrl("issuing/10000.crl"))).contains(shard(0));
    assertThat(scope(certificates.onCrl("issuing/1.crl?x"))).contains(shard(0));
    assertThat(scope(certificates.silent(Fixtures.NOW))).contains(shard(0));
  }

  @Test
  void of_noRevocationAvailable_none() {
    assertThat(scope(certificates.withoutRevocation())).isEmpty();
  }

  @Test
  void path_isWhatStandsInCertificates() {
    assertThat(shard(0).path()).isEqualTo("/crl/issuing.crl");
    assertThat(shard(12).path()).isEqualTo("/crl/issuing/12.crl");
    assertThat(scope(certificates.onCrl(shard(12).path().substring("/crl/".length()))))
        .contains(shard(12));
  }

  @Test
  void shard_outOfRange_refused() {
    assertThatThrownBy(() -> shard(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> shard(10_000)).isInstanceOf(IllegalArgumentException.class);
  }

  private static CrlScope shard(int number) {
    return new CrlScope(Fixtures.ISSUING, number);
  }

  private static Optional<CrlScope> scope(LedgerEntry entry) {
    return CrlScope.of(Fixtures.ISSUING, entry.intent().tbsCertificate());
  }
}
