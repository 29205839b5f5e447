package org.sluiceca.core.csr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WeakRsa;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

class KeyBlocklistTest {

  private static final SignatureVerifier SIGNATURES = new BouncyCastleVerifier();

  private static final SubjectPublicKeyInfo RSA = SoftwareKey.named("rsa-2048").publicKey();
  private static final SubjectPublicKeyInfo OTHER =
      SoftwareKey.named("issuer-rsa-2048").publicKey();
  private static final SubjectPublicKeyInfo EC = SoftwareKey.named("ec-p256").publicKey();
  private static final String NOISE =
      "00".repeat(32) + "\n" + "ff".repeat(32) + "\n" + "7".repeat(20);

  @Test
  void fault_spkiHash_thatKeyOnly() throws Exception {
    for (SubjectPublicKeyInfo key : List.of(RSA, EC)) {
      KeyBlocklist list = list("# of a test\n\n" + NOISE + "\n " + spkiHash(key) + " ");

      assertThat(list.size()).isEqualTo(4);
      assertThat(list.fault(key)).hasValueSatisfying(f -> assertThat(f).contains("SHA-256"));
      assertThat(list.fault(OTHER)).isEmpty();
    }
    assertThat(list(spkiHash(EC).toUpperCase(Locale.ROOT)).fault(EC)).isPresent();
  }

  /** Debian's openssl-blacklist: the last 20 digits of the SHA-1 of what openssl prints. */
  @Test
  void fault_tailOfOpensslsModulusHash_thatKeyOnly() throws Exception {
    String modulus = ((SubjectPublicKey.Rsa) RSA.key()).modulus().toString(16);
    byte[] printed =
        ("Modulus=" + modulus.toUpperCase(Locale.ROOT) + "\n").getBytes(StandardCharsets.US_ASCII);
    String tail =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(printed)).substring(20);

    KeyBlocklist list = list(NOISE + "\n" + tail);

    assertThat(list.fault(RSA)).hasValueSatisfying(f -> assertThat(f).contains("SHA-1"));
    assertThat(list.fault(OTHER)).isEmpty();
    assertThat(list.fault(EC)).isEmpty();
  }

  @Test
  void fault_sharedPrime_everyModulusWithItAndNoOther() {
    BigInteger shared = WeakRsa.prime(1);
    KeyBlocklist list = list("rsa-factor " + shared.toString(16));

    assertThat(list.fault(key(shared.multiply(WeakRsa.prime(2)))))
        .hasValueSatisfying(f -> assertThat(f).contains("shared"));
    assertThat(list.fault(key(WeakRsa.prime(3).multiply(shared)))).isPresent();
    assertThat(list.fault(key(WeakRsa.prime(2).multiply(WeakRsa.prime(3))))).isEmpty();
    assertThat(list.fault(EC)).isEmpty();
  }

  @Test
  void fault_emptyList_nothing() {
    assertThat(KeyBlocklist.EMPTY.fault(RSA)).isEmpty();
    assertThat(KeyBlocklist.EMPTY.size()).isZero();
  }

  @Test
  void verify_listedKey_weakKey() throws Exception {
    SoftwareKey key = SoftwareKey.named("ec-p256");
    AcceptLine line =
        new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));
    var authorized = line.authorize(CsrFixture.host("a.test").signedBy(key));

    assertThat(new CsrVerifier(SIGNATURES, KeyBlocklist.EMPTY).verify(authorized)).isNotNull();
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(
            () -> new CsrVerifier(SIGNATURES, list(spkiHash(key.publicKey()))).verify(authorized))
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.WEAK_KEY))
        .withMessageContaining("compromised");
  }

  @Test
  void verify_compromisedKey_compromisedKey() throws Exception {
    SoftwareKey key = SoftwareKey.named("ec-p256");
    KeyFingerprint reported = KeyFingerprint.of(key.publicKey());
    AcceptLine line =
        new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));
    CsrVerifier verifier = new CsrVerifier(SIGNATURES, KeyBlocklist.EMPTY, reported::equals);

    var authorized = line.authorize(CsrFixture.host("a.test").signedBy(key));
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> verifier.verify(authorized))
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.COMPROMISED_KEY));
    var other = line.authorize(CsrFixture.host("a.test").signedBy(SoftwareKey.named("ed25519")));
    assertThat(verifier.verify(other)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0123456789abcdef0123",
        "# 0123",
        "",
        "rsa-factor ffffffffffffffffffffffffffffffff",
        "rsa-factor 80000000000000000000000000000001"
      })
  void parse_lineOfAKnownForm_read(String line) {
    assertThat(list(line).size()).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0123456789abcdef012",
        "0123456789abcdef01234",
        "0123456789abcdef012g",
        "key",
        "rsa-factor",
        "rsa-factor ",
        "rsa-factor -3",
        "rsa-factor 80000000000000000000000000000000",
        "rsa-factor 7fffffffffffffffffffffffffffffff",
        "ssh-rsa AAAA"
      })
  void parse_lineOfAnotherForm_refusedWithItsNumber(String line) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> list("# first\n" + line))
        .withMessageContaining("line 2");
  }

  @Test
  void parse_hashOf63Or65Digits_refused() {
    assertThat(list("a".repeat(64)).size()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> list("a".repeat(63)));
    assertThatIllegalArgumentException().isThrownBy(() -> list("a".repeat(65)));
  }

  @Test
  void parse_factorOf8192BitsAndOneMore_bothSides() {
    String digits = "f".repeat(2_048);

    assertThat(list("rsa-factor " + digits).size()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> list("rsa-factor " + digits + "f"));
  }

  @Test
  void parse_64FactorsAndOneMore_bothSides() {
    String line = "rsa-factor 80000000000000000000000000000001\n";

    assertThat(list(line.repeat(KeyBlocklist.FACTORS_MAX)).size()).isEqualTo(64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> list(line.repeat(KeyBlocklist.FACTORS_MAX + 1)))
        .withMessageContaining("65 rsa-factor lines, allowed 64");
  }

  @Test
  void parse_aMillionLinesAndOneMore_bothSides() {
    String hash = "0123456789abcdef0123";

    assertThat(KeyBlocklist.parse(Collections.nCopies(1_000_000, hash).iterator()).size())
        .isEqualTo(1_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> KeyBlocklist.parse(Stream.generate(() -> hash).limit(1_000_001).iterator()));
  }

  private static KeyBlocklist list(String text) {
    return KeyBlocklist.parse(text.lines().iterator());
  }

  private static SubjectPublicKeyInfo key(BigInteger modulus) {
    return WeakRsa.key(modulus, WeakRsa.F4);
  }

  private static String spkiHash(SubjectPublicKeyInfo key) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.encoded()));
  }
}
