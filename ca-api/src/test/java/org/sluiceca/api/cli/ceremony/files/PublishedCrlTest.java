package org.sluiceca.api.cli.ceremony.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What this CA has published is read back as it was recorded. */
class PublishedCrlTest {

  private static final Instant SINCE = Fixtures.NOW.minus(Duration.ofHours(3));
  private static final Instant INVALID = Fixtures.NOW.minus(Duration.ofDays(30));

  private final SerialNumbers serialNumbers = new SerialNumbers(new SplittableRandom(1));
  private final SerialNumber first = serialNumbers.next(Fixtures.NOW);
  private final SerialNumber second = serialNumbers.next(Fixtures.NOW);

  private static PublishedCrl read(
      SoftwareKey signer, RevokedCertificates entries, Optional<String> point, long base) {
    var tbs =
        TbsCertListWriter.write(
            new TbsCertListWriter.Fields(
                IssuerFiles.ALGORITHM,
                IssuerFiles.NAME,
                Fixtures.NOW,
                Fixtures.NOW.plus(Duration.ofDays(1)),
                OctetString.copyOf(new byte[20]),
                base + 1,
                point,
                base == 0
                    ? new TbsCertListWriter.Kind.Complete(Optional.empty())
                    : new TbsCertListWriter.Kind.Delta(base)),
            entries);
    return PublishedCrl.of(
        new ByteArrayInputStream(
            TbsCertListWriter.assemble(
                    tbs,
                    IssuerFiles.ALGORITHM,
                    signer.sign(IssuerFiles.ALGORITHM, OctetString.copyOf(tbs.encoded())))
                .encoded()),
        IssuerFiles.all());
  }

  @Test
  void of_entries_asTheyWereRecorded() {
    RevokedCertificates entries = new RevokedCertificates();
    entries.add(first, SINCE, RevocationReason.KEY_COMPROMISE, Optional.of(INVALID));
    entries.add(second, SINCE, RevocationReason.UNSPECIFIED, Optional.empty());

    PublishedCrl crl = read(IssuerFiles.KEY, entries, Optional.empty(), 0);

    assertThat(crl.scope()).isEqualTo(new CrlScope(Fixtures.ISSUING, 0));
    assertThat(crl.entries())
        .containsExactlyInAnyOrder(
            new PublishedCrl.Entry(
                first,
                new Change.Revoked(
                    RevocationReason.KEY_COMPROMISE, Optional.of(INVALID), Optional.of(SINCE))),
            new PublishedCrl.Entry(
                second,
                new Change.Revoked(
                    RevocationReason.UNSPECIFIED, Optional.empty(), Optional.of(SINCE))));
  }

  @Test
  void of_deltaOfAShard_whatIsRemovedIsNotRevoked() {
    RevokedCertificates entries = new RevokedCertificates();
    entries.add(first, SINCE, RevocationReason.CERTIFICATE_HOLD, Optional.empty());
    entries.addRemoved(second, SINCE);

    PublishedCrl crl =
        read(
            IssuerFiles.KEY,
            entries,
            Optional.of("http://pki.example.com/crl/issuing/17-delta.crl"),
            5);

    assertThat(crl.scope()).isEqualTo(new CrlScope(Fixtures.ISSUING, 17));
    assertThat(crl.entries()).extracting(PublishedCrl.Entry::serialNumber).containsExactly(first);
  }

  @Test
  void of_emptyCrl_hasNoEntries() {
    assertThat(read(IssuerFiles.KEY, new RevokedCertificates(), Optional.empty(), 0).entries())
        .isEmpty();
  }

  @Test
  void of_signedByAnotherKey_refused() {
    SoftwareKey other = SoftwareKey.named("ec-p256");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(other, new RevokedCertificates(), Optional.empty(), 0))
        .withMessageContaining("no issuer of this CA has signed");
  }
}
