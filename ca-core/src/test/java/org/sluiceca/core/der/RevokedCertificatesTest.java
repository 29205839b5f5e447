package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Enumerated;
import org.bouncycastle.asn1.ASN1GeneralizedTime;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERGeneralizedTime;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.TBSCertList;
import org.bouncycastle.asn1.x509.Time;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** The entries are, octet for octet, what the library writes from its objects. */
class RevokedCertificatesTest {

  private final SplittableRandom random = new SplittableRandom(5);

  @Test
  void add_everyReasonAndDate_asTheLibraryEncodes() throws Exception {
    RevokedCertificates entries = new RevokedCertificates();
    ASN1EncodableVector expected = new ASN1EncodableVector();
    for (RevocationReason reason : RevocationReason.values()) {
      for (Optional<Instant> date :
          List.of(
              Optional.<Instant>empty(),
              Optional.of(Instant.parse("2026-01-31T23:59:59Z")),
              Optional.of(Instant.parse("2061-01-31T00:00:00Z")))) {
        SerialNumber serial = serial();
        entries.add(serial, Fixtures.NOW, reason, date);
        expected.add(entry(serial, Fixtures.NOW, reason, date));
      }
    }

    assertThat(list(entries)).isEqualTo(new DERSequence(expected).getEncoded("DER"));
    assertThat(entries.count()).isEqualTo(expected.size());
  }

  @Test
  void write_manyEntries_lengthsOfEverySizeAreRight() throws Exception {
    RevokedCertificates entries = new RevokedCertificates();
    for (int i = 0; i < 20_000; i++) {
      entries.add(serial(), Fixtures.NOW, RevocationReason.SUPERSEDED, Optional.empty());
      if (i == 0 || i == 2 || i == 1_000 || i == 19_999) {
        byte[] tbs = TbsCertListWriter.write(fields(), entries).encoded();
        var parsed = TBSCertList.getInstance(ASN1Primitive.fromByteArray(tbs));
        assertThat(parsed.getRevokedCertificates()).hasSize(i + 1);
        assertThat(parsed.getEncoded("DER")).isEqualTo(tbs);
      }
    }
  }

  @Test
  void write_noEntries_listIsAbsent() {
    byte[] tbs = TbsCertListWriter.write(fields(), new RevokedCertificates()).encoded();

    var parsed = TBSCertList.getInstance(tbs);
    assertThat(parsed.getRevokedCertificates()).isEmpty();
    assertThat(parsed.getVersionNumber()).isEqualTo(2);
    assertThat(parsed.getNextUpdate()).isNotNull();
  }

  private static TbsCertListWriter.Fields fields() {
    return new TbsCertListWriter.Fields(
        SignatureAlgorithm.ECDSA_SHA256,
        Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")).subject(),
        Fixtures.NOW,
        Fixtures.NOW.plusSeconds(60),
        OctetString.copyOf(new byte[20]),
        7,
        Optional.empty(),
        new TbsCertListWriter.Kind.Complete(Optional.empty()));
  }

  private static byte[] list(RevokedCertificates entries) {
    var out = new ByteArrayOutputStream();
    Encodings.writeHeader(out, Encodings.SEQUENCE, entries.octets());
    entries.writeTo(out);
    return out.toByteArray();
  }

  private SerialNumber serial() {
    byte[] octets = new byte[SerialNumber.RANDOM_OCTETS];
    random.nextBytes(octets);
    return SerialNumber.compose(new ExpiryWeek(2_970), octets);
  }

  private static DERSequence entry(
      SerialNumber serial, Instant at, RevocationReason reason, Optional<Instant> date)
      throws Exception {
    ASN1EncodableVector entry = new ASN1EncodableVector();
    entry.add(new ASN1Integer(new BigInteger(1, serial.octets())));
    entry.add(new Time(Date.from(at)));
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    if (reason != RevocationReason.UNSPECIFIED) {
      extensions.addExtension(Extension.reasonCode, false, new ASN1Enumerated(reason.code()));
    }
    if (date.isPresent()) {
      ASN1GeneralizedTime time = new DERGeneralizedTime(Date.from(date.get()));
      extensions.addExtension(Extension.invalidityDate, false, time);
    }
    if (!extensions.isEmpty()) {
      entry.add(extensions.generate());
    }
    return new DERSequence(entry);
  }
}
