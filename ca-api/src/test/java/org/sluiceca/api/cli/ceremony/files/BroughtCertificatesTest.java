package org.sluiceca.api.cli.ceremony.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates.Verified;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;

/** What is taken into a restored ledger is this CA's own, and nothing else. */
class BroughtCertificatesTest {

  private static final SoftwareKey SUBJECT = SoftwareKey.named("ec-p256");

  private final SerialNumber serialNumber =
      new SerialNumbers(new SplittableRandom(1)).next(Fixtures.NOW);

  @TempDir private Path folder;

  private BroughtCertificates read(CertificateDer... certificates)
      throws IOException, DerException {
    Path file =
        Files.writeString(
            folder.resolve("brought.pem"),
            Stream.of(certificates)
                .map(certificate -> Pem.write(Pem.CERTIFICATE, certificate.encoded()))
                .collect(Collectors.joining("a line between\n")));
    return BroughtCertificates.read(List.of(file), IssuerFiles.all());
  }

  @Test
  void read_signedByAnIssuer_isUnderItsName() throws IOException, DerException {
    BroughtCertificates brought =
        read(IssuerFiles.certificate(IssuerFiles.KEY, SUBJECT, serialNumber.octets()));

    assertThat(brought.verified())
        .extracting(Verified::serialNumber, one -> one.issuer().value())
        .containsExactly(tuple(serialNumber, "issuing"));
    assertThat(brought.foreign()).isZero();
  }

  /** Its issuer's name and serial number are as they should be. */
  @Test
  void read_signedByAnotherKey_foreign() throws IOException, DerException {
    BroughtCertificates brought =
        read(IssuerFiles.certificate(SUBJECT, SUBJECT, serialNumber.octets()));

    assertThat(brought.verified()).isEmpty();
    assertThat(brought.foreign()).isEqualTo(1);
  }

  /** An issuer's key may be older than this CA. */
  @Test
  void read_serialNumberOfAnotherLayout_foreignAndTheRestIsRead() throws IOException, DerException {
    BroughtCertificates brought =
        read(
            IssuerFiles.certificate(IssuerFiles.KEY, SUBJECT, new byte[] {7}),
            IssuerFiles.certificate(IssuerFiles.KEY, SUBJECT, serialNumber.octets()));

    assertThat(brought.verified()).extracting(Verified::serialNumber).containsExactly(serialNumber);
    assertThat(brought.foreign()).isEqualTo(1);
  }

  @Test
  void read_noCertificateInAFile_refused() {
    assertThatIOException().isThrownBy(this::read).withMessageContaining("no certificate in");
  }
}
