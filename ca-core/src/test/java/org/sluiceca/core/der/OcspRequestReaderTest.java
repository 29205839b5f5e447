package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.x509.OctetString;

class OcspRequestReaderTest {

  /** {@code openssl ocsp -issuer … -cert … -reqout …} of OpenSSL 3.0.19. */
  private static final byte[] OPENSSL =
      HexFormat.of()
          .parseHex(
              "306e306c304530433041300906052b0e03021a05000414"
                  + "2cfde6e4d934959e0d949f4a9c0814e5f8ab7a8d0414"
                  + "ef24c2aef3a9e44f8bfa361a32c0394bc7b62a240208"
                  + "0123456789abcdefa2233021301f06092b0601050507"
                  + "30010204120410b1dc531d400c41e58010b1b85aae4e71");

  @Test
  void read_requestOfATool_itsCertIdAndNonce() throws DerException {
    OcspRequest request = OcspRequestReader.read(OPENSSL);

    CertId id = request.certIds().getFirst();
    assertThat(request.certIds()).hasSize(1);
    assertThat(id.hashAlgorithm()).isEqualTo(CertId.SHA_1);
    assertThat(id.hasNull()).isTrue();
    assertThat(id.serialNumber())
        .isEqualTo(OctetString.copyOf(HexFormat.of().parseHex("0123456789abcdef")));
    assertThat(request.nonce().orElseThrow().value().length()).isEqualTo(16);
    assertThat(request.nonce().orElseThrow().isCritical()).isFalse();
  }

  @Test
  void read_hashWithoutParameters_told() throws DerException {
    AlgorithmIdentifier bare = new AlgorithmIdentifier(new ASN1ObjectIdentifier(CertId.SHA_256));

    OcspRequest request =
        OcspRequestReader.read(Encodings.der(ocsp(list(request(certId(bare, 1))))));

    assertThat(request.certIds().getFirst().hasNull()).isFalse();
    assertThat(request.certIds().getFirst().hashAlgorithm()).isEqualTo(CertId.SHA_256);
  }

  @Test
  void read_hashWithOtherParameters_refused() {
    AlgorithmIdentifier odd =
        new AlgorithmIdentifier(new ASN1ObjectIdentifier(CertId.SHA_1), new ASN1Integer(1));

    refused(ocsp(list(request(certId(odd, 1)))), "parameters");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void read_certIdsUpToTheLimit_allRead(int count) throws DerException {
    OcspRequest request = OcspRequestReader.read(Encodings.der(ocsp(list(many(count)))));

    assertThat(request.certIds()).hasSize(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 500})
  void read_noCertIdOrTooMany_refused(int count) {
    refused(ocsp(list(many(count))), "");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 32, 128})
  void read_nonceOfAllowedLength_read(int octets) throws DerException {
    OcspRequest request = OcspRequestReader.read(Encodings.der(withExtension(nonce(octets, true))));

    assertThat(request.nonce().orElseThrow().value().length()).isEqualTo(octets);
    assertThat(request.nonce().orElseThrow().isCritical()).isTrue();
  }

  /** RFC 9654 2.1: MUST be refused. */
  @ParameterizedTest
  @ValueSource(ints = {0, 129})
  void read_nonceOfOtherLength_refused(int octets) {
    refused(withExtension(nonce(octets, false)), "nonce of " + octets);
  }

  @Test
  void read_nonceThatIsNoOctetString_refused() {
    refused(
        withExtension(extension("1.3.6.1.5.5.7.48.1.2", false, new byte[] {0x02, 0x01, 0x05})),
        "nonce");
  }

  @Test
  void read_unknownExtension_ignoredUnlessCritical() throws DerException {
    byte[] value = Encodings.der(DERNull.INSTANCE);

    OcspRequest read =
        OcspRequestReader.read(Encodings.der(withExtension(extension("1.2.3.4", false, value))));

    assertThat(read.nonce()).isEmpty();
    refused(withExtension(extension("1.2.3.4", true, value)), "critical extension 1.2.3.4");
  }

  @Test
  void read_criticalExtensionOfOneCertificate_refused() {
    ASN1EncodableVector single = new ASN1EncodableVector();
    single.add(certId(sha1(), 1));
    single.add(
        new DERTaggedObject(
            true, 0, new DERSequence(extension("1.3.6.1.5.5.7.48.1.7", true, new byte[] {5, 0}))));

    refused(ocsp(list(new DERSequence(single))), "critical");
  }

  /** The signature decides nothing, so a wrong one does no harm. */
  @Test
  void read_signedRequest_signatureNotLookedAt() throws DerException {
    ASN1EncodableVector tbs = new ASN1EncodableVector();
    tbs.add(new DERTaggedObject(true, 1, new DERTaggedObject(true, 4, new DERSequence())));
    tbs.add(new DERSequence(request(certId(sha1(), 7))));
    ASN1EncodableVector signature = new ASN1EncodableVector();
    signature.add(sha1());
    signature.add(new DERBitString(new byte[] {1, 2, 3}));
    ASN1EncodableVector whole = new ASN1EncodableVector();
    whole.add(new DERSequence(tbs));
    whole.add(new DERTaggedObject(true, 0, new DERSequence(signature)));

    OcspRequest read = OcspRequestReader.read(Encodings.der(new DERSequence(whole)));

    assertThat(read.certIds().getFirst().serialNumber())
        .isEqualTo(OctetString.copyOf(new byte[] {7}));
  }

  @Test
  void read_elementsBehindTheExpected_refused() {
    ASN1EncodableVector whole = new ASN1EncodableVector();
    whole.add(new DERSequence(new DERSequence(request(certId(sha1(), 1)))));
    whole.add(new DERIA5String("more"));

    refused(new DERSequence(whole), "");
  }

  @Test
  void read_hugeSerialNumber_refused() {
    ASN1EncodableVector id = new ASN1EncodableVector();
    id.add(sha1());
    id.add(new DEROctetString(new byte[20]));
    id.add(new DEROctetString(new byte[20]));
    id.add(new ASN1Integer(BigInteger.ONE.shiftLeft(8 * 65)));

    refused(ocsp(list(request(new DERSequence(id)))), "field of 66 octets");
  }

  @Test
  void read_emptyTruncatedTrailingOversized_refused() {
    byte[] trailing = Arrays.copyOf(OPENSSL, OPENSSL.length + 1);
    byte[] truncated = Arrays.copyOf(OPENSSL, OPENSSL.length - 1);
    for (byte[] bytes :
        new byte[][] {{}, trailing, truncated, new byte[OcspRequestReader.BYTES_MAX + 1]}) {
      assertThatExceptionOfType(DerException.class).isThrownBy(() -> OcspRequestReader.read(bytes));
    }
  }

  /** Whatever comes is read or refused; what is read can be answered. */
  @Test
  void read_seededDamage_neverAnythingElse() {
    for (long seed = 1; seed <= 20_000; seed++) {
      byte[] mutant = Mutations.of(OPENSSL, new SplittableRandom(seed));
      assertThatCode(
              () -> {
                try {
                  OcspRequest read = OcspRequestReader.read(mutant);
                  assertThat(read.certIds()).hasSizeBetween(1, OcspRequestReader.CERT_IDS_MAX);
                } catch (DerException e) {
                  assertThat(e.fault()).isNotBlank();
                }
              })
          .as("seed %d", seed)
          .doesNotThrowAnyException();
    }
  }

  private static void refused(ASN1Object request, String fault) {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> OcspRequestReader.read(Encodings.der(request)))
        .withMessageContaining(fault);
  }

  private static AlgorithmIdentifier sha1() {
    return new AlgorithmIdentifier(new ASN1ObjectIdentifier(CertId.SHA_1), DERNull.INSTANCE);
  }

  private static DERSequence certId(AlgorithmIdentifier hash, int serial) {
    ASN1EncodableVector id = new ASN1EncodableVector();
    id.add(hash);
    id.add(new DEROctetString(new byte[20]));
    id.add(new DEROctetString(new byte[20]));
    id.add(new ASN1Integer(serial));
    return new DERSequence(id);
  }

  private static DERSequence request(DERSequence certId) {
    return new DERSequence(certId);
  }

  private static ASN1EncodableVector list(DERSequence... requests) {
    ASN1EncodableVector tbs = new ASN1EncodableVector();
    tbs.add(new DERSequence(requests));
    return tbs;
  }

  private static DERSequence[] many(int count) {
    DERSequence[] requests = new DERSequence[count];
    for (int i = 0; i < count; i++) {
      requests[i] = request(certId(sha1(), i + 1));
    }
    return requests;
  }

  private static DERSequence ocsp(ASN1EncodableVector tbs) {
    return new DERSequence(new DERSequence(tbs));
  }

  private static DERSequence withExtension(Extension extension) {
    ASN1EncodableVector tbs = list(request(certId(sha1(), 1)));
    tbs.add(new DERTaggedObject(true, 2, new DERSequence(extension)));
    return ocsp(tbs);
  }

  private static Extension nonce(int octets, boolean critical) {
    return extension(
        "1.3.6.1.5.5.7.48.1.2", critical, Encodings.der(new DEROctetString(new byte[octets])));
  }

  private static Extension extension(String oid, boolean critical, byte[] value) {
    return new Extension(new ASN1ObjectIdentifier(oid), critical, value);
  }
}
