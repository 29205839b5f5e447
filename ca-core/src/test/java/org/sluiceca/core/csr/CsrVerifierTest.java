package org.sluiceca.core.csr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.sequence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.CsrWriter;
import org.sluiceca.core.der.Mutations;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.RawCsr;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SignatureAlgorithm;

class CsrVerifierTest {

  private static final AcceptLine LINE =
      new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));

  private static final CsrVerifier VERIFIER =
      new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY);

  /** Step 4's lints would refuse it too, but then a strange key has been worked with before. */
  @Test
  void verify_keyThatTheProfileDoesNotAllow_refusedBeforeItIsUsed() throws Exception {
    CertificateProfile.Content content = Fixtures.tlsServer().content();
    AcceptLine rsaOnly =
        new AcceptLine(
            Fixtures.withContent(
                Fixtures.tlsServer(),
                new CertificateProfile.Content(
                    content.validity(),
                    content.subject(),
                    new KeyPolicy(Set.of(PublicKeyAlgorithm.RSA), 2048),
                    content.subjectAltName(),
                    content.extensions())),
            Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));
    AuthorizedRequest request = rsaOnly.authorize(CsrFixture.file("openssl-ec-p256"));
    CsrVerifier verifier =
        new CsrVerifier(
            (key, algorithm, message, signature) -> {
              throw new AssertionError("verified");
            },
            KeyBlocklist.EMPTY);

    assertThatExceptionOfType(RejectedException.class).isThrownBy(() -> verifier.verify(request));
  }

  @ParameterizedTest
  @CsvSource({
    "openssl-rsa-2048, RSA, RSA_PKCS1_SHA256",
    "openssl-rsa-3072, RSA, RSA_PKCS1_SHA256",
    "openssl-rsa-4096, RSA, RSA_PKCS1_SHA256",
    "openssl-rsa-2048-pss, RSA, RSASSA_PSS_SHA384",
    "openssl-ec-p256, EC_P256, ECDSA_SHA256",
    "openssl-ec-p384, EC_P384, ECDSA_SHA256",
    "openssl-ec-p521, EC_P521, ECDSA_SHA256",
    "openssl-ed25519, ED25519, ED25519",
    "openssl-ed448, ED448, ED448",
    "certtool-rsa-2048, RSA, RSA_PKCS1_SHA256",
    "certtool-ec-p256, EC_P256, ECDSA_SHA256",
    "certtool-ed25519, ED25519, ED25519",
    "keytool-rsa-2048, RSA, RSA_PKCS1_SHA384",
    "keytool-rsa-2048-pss, RSA, RSASSA_PSS_SHA384",
    "keytool-ec-p256, EC_P256, ECDSA_SHA384",
    "keytool-ed25519, ED25519, ED25519"
  })
  void verify_requestOfARealTool_accepted(
      String file, PublicKeyAlgorithm key, SignatureAlgorithm signature) throws Exception {
    VerifiedCsr verified = LINE.verify(CsrFixture.file(file));

    assertThat(VERIFIER.fault(CsrFixture.file(file))).isEmpty();
    assertThat(verified.csr().subject()).hasToString("CN=host.example.test");
    assertThat(verified.csr().subjectPublicKeyInfo().key().algorithm()).isEqualTo(key);
    assertThat(verified.csr().signatureAlgorithm()).isEqualTo(signature);
    assertThat(verified.csr().extensions())
        .filteredOn(e -> e.oid().equals("2.5.29.17"))
        .singleElement()
        .satisfies(
            san ->
                assertThat(CsrReader.subjectAltNames(san))
                    .extracting(Object::toString)
                    .containsExactly("Dns[name=host.example.test]", "Ip[address=/192.0.2.1]"));
  }

  @ParameterizedTest
  @CsvSource({
    "openssl-rsa-1024, WEAK_KEY",
    "openssl-ec-secp256k1, UNSUPPORTED_ALGORITHM",
    "openssl-ec-explicit-curve, UNSUPPORTED_ALGORITHM",
    "openssl-rsa-2048-sha1, UNSUPPORTED_ALGORITHM"
  })
  void verify_requestOfARealToolThatIsRefused_reasonNamesTheFault(String file, Reason reason) {
    assertThat(reasonOf(CsrFixture.file(file))).isEqualTo(reason);
  }

  /** RFC 4055 3.1 leaves the salt's length to the signer, and openssl takes the longest. */
  @Test
  void verify_pssWithTheLongestSalt_acceptedAndOnlyWithThatSalt() throws Exception {
    CsrDer csr = CsrFixture.file("openssl-rsa-2048-pss-longest-salt");

    VerifiedCsr verified = LINE.verify(csr);

    assertThat(verified.csr().pssSaltOctets()).hasValue(222);
    byte[] other = csr.encoded();
    int at = indexOf(other, hex("a204020200de"));
    other[at + 5] = (byte) 0xDD;
    assertThat(reasonOf(CsrDer.of(other))).isEqualTo(Reason.BAD_PROOF_OF_POSSESSION);
  }

  @Test
  void verify_rsaWithAbsentParameters_acceptedAsWithNull() throws Exception {
    SoftwareKey rsa = SoftwareKey.named("rsa-2048");
    String oid = "06092a864886f70d01010b";

    LINE.verify(CsrDer.of(RawCsr.sound().key(rsa, sequence(hex(oid))).bytes()));
    LINE.verify(CsrDer.of(RawCsr.sound().key(rsa, sequence(hex(oid), hex("0500"))).bytes()));
    assertThat(
            reasonOf(CsrDer.of(RawCsr.sound().key(rsa, sequence(hex(oid), hex("3000"))).bytes())))
        .isEqualTo(Reason.UNSUPPORTED_ALGORITHM);
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return fail("not there");
  }

  @Test
  void verify_signatureByAnotherKey_refused() {
    for (String name : SoftwareKey.NAMES) {
      SoftwareKey key = SoftwareKey.named(name);
      String other =
          switch (name) {
            case "rsa-2048", "rsa-3072", "rsa-4096" -> "issuer-rsa-2048";
            case "ed448" -> "ed448-other";
            default -> "issuer-" + name;
          };
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofIssuer(key.publicKey().key());
      OctetString info =
          CsrWriter.write(
              NameCodec.write(DistinguishedName.EMPTY), key.publicKey(), new ArrayList<>());

      CsrDer csr =
          CsrWriter.assemble(info, algorithm, SoftwareKey.named(other).sign(algorithm, info));

      assertThat(reasonOf(csr)).as(name).isEqualTo(Reason.BAD_PROOF_OF_POSSESSION);
    }
  }

  @Test
  void verify_algorithmOfAnotherFamily_refused() {
    SoftwareKey key = SoftwareKey.named("ec-p256");
    OctetString info =
        CsrWriter.write(
            NameCodec.write(DistinguishedName.EMPTY), key.publicKey(), new ArrayList<>());

    CsrDer csr =
        CsrWriter.assemble(
            info,
            SignatureAlgorithm.RSA_PKCS1_SHA256,
            SoftwareKey.named("rsa-2048").sign(SignatureAlgorithm.RSA_PKCS1_SHA256, info));

    assertThat(reasonOf(csr)).isEqualTo(Reason.BAD_PROOF_OF_POSSESSION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"openssl-ec-p256", "openssl-ed25519", "openssl-rsa-2048"})
  void verify_anyOctetChanged_refused(String file) {
    byte[] real = CsrFixture.file(file).encoded();

    for (int at = 0; at < real.length; at++) {
      for (int mask : new int[] {0x01, 0x80, 0xFF}) {
        byte[] changed = real.clone();
        changed[at] ^= (byte) mask;
        assertThat(reasonOf(CsrDer.of(changed))).as("%s octet %d", file, at).isNotNull();
      }
    }
  }

  @Test
  void verify_seededMutations_refusedNeverAnUncheckedException() {
    List<String> files = List.of("openssl-full", "certtool-rsa-2048", "keytool-ec-p256");
    for (String file : files) {
      byte[] real = CsrFixture.file(file).encoded();
      for (long seed = 1; seed <= 2_000; seed++) {
        byte[] mutant = Mutations.of(real, new SplittableRandom(seed));
        if (!Arrays.equals(mutant, real)) {
          assertThat(reasonOf(CsrDer.of(mutant))).as("%s seed %d", file, seed).isNotNull();
        }
      }
    }
  }

  @Test
  void verify_requestOf64KiBOrOneByteMore_bothSides() {
    assertThat(detailOf(CsrDer.of(new byte[CsrVerifier.CSR_BYTES_MAX]))).doesNotContain("allowed");
    assertThat(detailOf(CsrDer.of(new byte[CsrVerifier.CSR_BYTES_MAX + 1])))
        .contains("65537 bytes, allowed 65536");
  }

  private static Reason reasonOf(CsrDer csr) {
    try {
      LINE.verify(csr);
    } catch (RejectedException e) {
      assertThat(VERIFIER.fault(csr)).map(Rejection::reason).contains(e.rejection().reason());
      return e.rejection().reason();
    }
    return fail("accepted");
  }

  private static String detailOf(CsrDer csr) {
    try {
      LINE.verify(csr);
    } catch (RejectedException e) {
      return e.rejection().detail();
    }
    return fail("accepted");
  }
}
