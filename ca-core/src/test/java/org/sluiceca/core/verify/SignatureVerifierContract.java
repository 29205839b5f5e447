package org.sluiceca.core.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.core.testkit.RawDer.bitString;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.integer;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.sequence;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * What every verifier answers alike: to signatures made by the JDK's provider, and to malformed
 * ones in the manner of Wycheproof.
 */
abstract class SignatureVerifierContract {

  /** Returns the verifier under test. */
  abstract SignatureVerifier verifier();

  private static final OctetString MESSAGE = octets("to be signed");
  private static final BigInteger P256_ORDER =
      new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);

  private record Case(SignatureVerifier verifier, SoftwareKey key, SignatureAlgorithm algorithm) {
    OctetString signature() {
      return key.sign(algorithm, MESSAGE);
    }

    boolean verifies(OctetString message, OctetString signature) {
      return verifier.verifies(key.publicKey(), algorithm, message, signature);
    }
  }

  @Test
  void verifies_everyAlgorithmWithEveryFittingKey_true() {
    List<Case> cases = cases();

    assertThat(cases).hasSize(3 * 6 + 3 * 3 + 2);
    for (Case c : cases) {
      assertThat(c.verifies(MESSAGE, c.signature())).as(c.toString()).isTrue();
    }
  }

  @Test
  void verifies_otherMessage_false() {
    for (Case c : cases()) {
      assertThat(c.verifies(octets("to be signeD"), c.signature())).as(c.toString()).isFalse();
    }
  }

  @Test
  void verifies_otherKeyOfTheSameKind_false() {
    for (String[] pair :
        new String[][] {
          {"rsa-2048", "issuer-rsa-2048"},
          {"ec-p256", "issuer-ec-p256"},
          {"ec-p384", "issuer-ec-p384"},
          {"ec-p521", "issuer-ec-p521"},
          {"ed25519", "issuer-ed25519"},
          {"ed448", "ed448-other"}
        }) {
      SoftwareKey key = SoftwareKey.named(pair[0]);
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofIssuer(key.publicKey().key());

      assertThat(
              verifier()
                  .verifies(
                      SoftwareKey.named(pair[1]).publicKey(),
                      algorithm,
                      MESSAGE,
                      key.sign(algorithm, MESSAGE)))
          .as(pair[0])
          .isFalse();
    }
  }

  @Test
  void verifies_anyOtherAlgorithm_false() {
    for (Case c : cases()) {
      OctetString signature = c.signature();
      for (SignatureAlgorithm other : SignatureAlgorithm.values()) {
        if (other != c.algorithm()) {
          assertThat(verifier().verifies(c.key().publicKey(), other, MESSAGE, signature))
              .as("%s as %s", c, other)
              .isFalse();
        }
      }
    }
  }

  @Test
  void verifies_eachBitOfTheSignatureFlipped_false() {
    for (String name : List.of("rsa-2048", "ec-p256", "ed25519", "ed448")) {
      Case c = caseOf(name);
      byte[] signature = c.signature().octets();
      for (int bit = 0; bit < signature.length * 8; bit++) {
        byte[] flipped = signature.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);

        assertThat(c.verifies(MESSAGE, OctetString.copyOf(flipped)))
            .as("%s bit %d", name, bit)
            .isFalse();
      }
    }
  }

  @Test
  void verifies_signatureOfAnyOtherLength_false() {
    for (Case c : cases()) {
      byte[] signature = c.signature().octets();

      for (int length : new int[] {0, 1, signature.length - 1, signature.length + 1, 5_000}) {
        assertThat(c.verifies(MESSAGE, OctetString.copyOf(Arrays.copyOf(signature, length))))
            .as("%s, %d octets", c, length)
            .isFalse();
      }
      assertThat(c.verifies(MESSAGE, OctetString.copyOf(join(new byte[1], signature)))).isFalse();
    }
  }

  @Test
  void verifies_ecdsaValuesOutOfRange_false() {
    Case c = caseOf("ec-p256");
    BigInteger n = P256_ORDER;
    List<BigInteger> values =
        List.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            BigInteger.ONE.negate(),
            n.subtract(BigInteger.ONE),
            n,
            n.add(BigInteger.ONE),
            n.shiftLeft(1),
            BigInteger.ONE.shiftLeft(256),
            BigInteger.ONE.shiftLeft(4_096));
    for (BigInteger r : values) {
      for (BigInteger s : values) {
        assertThat(c.verifies(MESSAGE, OctetString.copyOf(sequence(integer(r), integer(s)))))
            .as("r %s s %s", r, s)
            .isFalse();
      }
    }
  }

  @Test
  void verifies_ecdsaRPlusOrder_false() {
    Case c = caseOf("ec-p256");
    BigInteger[] pair = ecdsaPair(c.signature());

    assertThat(verifiesPair(c, pair[0], pair[1])).isTrue();
    assertThat(verifiesPair(c, pair[0].add(P256_ORDER), pair[1])).isFalse();
    assertThat(verifiesPair(c, pair[0], pair[1].add(P256_ORDER))).isFalse();
    assertThat(verifiesPair(c, pair[0].negate(), pair[1])).isFalse();
  }

  @Test
  void verifies_ecdsaInBer_false() {
    Case c = caseOf("ec-p256");
    BigInteger[] pair = ecdsaPair(c.signature());
    byte[] r = integer(pair[0]);
    byte[] s = integer(pair[1]);
    byte[] longR = join(new byte[] {2, (byte) 0x81, (byte) (r.length - 2)}, tail(r, 2));
    byte[] zeroR = join(new byte[] {2, (byte) (r.length - 1), 0}, tail(r, 2));

    for (byte[] signature :
        List.of(
            join(hex("3080"), r, s, hex("0000")),
            join(new byte[] {0x30, (byte) 0x81, (byte) (r.length + s.length)}, r, s),
            sequence(longR, s),
            sequence(zeroR, s),
            sequence(r, s, hex("0500")),
            join(sequence(r, s), hex("00")),
            sequence(r),
            sequence(),
            sequence(sequence(r, s)),
            join(r, s),
            hex("30053003020101"),
            hex("0500"))) {
      assertThat(c.verifies(MESSAGE, OctetString.copyOf(signature))).isFalse();
    }
  }

  @Test
  void verifies_rsaValueNotBelowTheModulus_false() {
    Case c = caseOf("rsa-2048");
    BigInteger modulus =
        ((org.sluiceca.core.x509.SubjectPublicKey.Rsa) c.key().publicKey().key()).modulus();
    BigInteger signature = new BigInteger(1, c.signature().octets());

    for (BigInteger value :
        List.of(BigInteger.ZERO, BigInteger.ONE, modulus, signature.add(modulus))) {
      byte[] octets = value.toByteArray();
      byte[] sized = new byte[Math.max(256, octets.length)];
      System.arraycopy(octets, 0, sized, sized.length - octets.length, octets.length);
      assertThat(c.verifies(MESSAGE, OctetString.copyOf(sized))).isFalse();
      assertThat(c.verifies(MESSAGE, OctetString.copyOf(octets))).isFalse();
    }
  }

  /**
   * RFC 8017 8.1.2 and 8.2.2: one signature in 256 begins with a zero octet, which belongs to it.
   */
  @Test
  void verifies_rsaWithoutItsLeadingZeroOctet_false() {
    SoftwareKey key = SoftwareKey.named("rsa-2048");
    for (SignatureAlgorithm algorithm :
        List.of(SignatureAlgorithm.RSA_PKCS1_SHA256, SignatureAlgorithm.RSASSA_PSS_SHA256)) {
      for (int i = 0; ; i++) {
        OctetString message = octets("message " + i);
        byte[] signature = key.sign(algorithm, message).octets();
        if (signature[0] != 0) {
          continue;
        }
        byte[] shorter = Arrays.copyOfRange(signature, 1, signature.length);
        byte[] longer = new byte[signature.length + 1];
        System.arraycopy(signature, 0, longer, 1, signature.length);
        assertThat(
                verifier()
                    .verifies(key.publicKey(), algorithm, message, OctetString.copyOf(signature)))
            .isTrue();
        assertThat(
                verifier()
                    .verifies(key.publicKey(), algorithm, message, OctetString.copyOf(shorter)))
            .as("%s shorter", algorithm)
            .isFalse();
        assertThat(
                verifier()
                    .verifies(key.publicKey(), algorithm, message, OctetString.copyOf(longer)))
            .as("%s longer", algorithm)
            .isFalse();
        break;
      }
    }
  }

  @Test
  void verifies_ed25519KeyOfSmallOrder_false() throws Exception {
    // A signature with S = 0 under such a key needs no private key.
    List<byte[]> points = new ArrayList<>();
    for (String point :
        List.of(
            "0100000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000080",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            // Encodings of y = p and y = p + 1, which are not canonical.
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")) {
      points.add(hex(point));
    }
    for (byte[] point : points) {
      SubjectPublicKeyInfo key = ed25519(point);
      for (byte[] r : points) {
        OctetString signature = OctetString.copyOf(join(r, new byte[32]));
        for (int i = 0; i < 16; i++) {
          assertThat(
                  verifier().verifies(key, SignatureAlgorithm.ED25519, octets("m" + i), signature))
              .isFalse();
        }
      }
    }
  }

  /** RFC 8032 7.4: the key of both, then message, context and signature. */
  @Test
  void verifies_ed448VectorsOfRfc8032_trueWithTheEmptyContextOnly() throws Exception {
    SubjectPublicKeyInfo blank =
        ed448(
            "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778"
                + "edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180");
    SubjectPublicKeyInfo oneOctet =
        ed448(
            "43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c086"
                + "6aea01eb00742802b8438ea4cb82169c235160627b4c3a9480");

    assertThat(
            verifiesEd448(
                blank,
                "",
                "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f"
                    + "2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a"
                    + "9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db"
                    + "b61149f05a7363268c71d95808ff2e652600"))
        .isTrue();
    assertThat(
            verifiesEd448(
                oneOctet,
                "03",
                "26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f435"
                    + "2541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cb"
                    + "cee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0f"
                    + "f3348ab21aa4adafd1d234441cf807c03a00"))
        .isTrue();
    // The same key and message under the context "foo".
    assertThat(
            verifiesEd448(
                oneOctet,
                "03",
                "d4f8f6131770dd46f40867d6fd5d5055de43541f8c5e35abbcd001b32a89f7d2"
                    + "151f7647f11d8ca2ae279fb842d607217fce6e042f6815ea000c85741de5c8da"
                    + "1144a6a1aba7f96de42505d7a7298524fda538fccbbb754f578c1cad10d54d0d"
                    + "5428407e85dcbc98a49155c13764e66c3c00"))
        .isFalse();
  }

  /**
   * Points whose order divides 4, as y and the sign of x (RFC 8032 5.2.2): (0, 1), (0, -1), (±1,
   * 0).
   */
  @Test
  void verifies_ed448KeyOfSmallOrder_false() throws Exception {
    byte[] one = new byte[57];
    one[0] = 1;
    byte[] minusOne = new byte[57];
    Arrays.fill(minusOne, 0, 56, (byte) 0xff);
    minusOne[0] = (byte) 0xfe;
    minusOne[28] = (byte) 0xfe;
    byte[] zero = new byte[57];
    byte[] zeroSigned = new byte[57];
    zeroSigned[56] = (byte) 0x80;
    for (byte[] point : List.of(one, minusOne, zero, zeroSigned)) {
      SubjectPublicKeyInfo key = ed448(HexFormat.of().formatHex(point));
      for (byte[] r : List.of(one, minusOne, zero, zeroSigned)) {
        OctetString signature = OctetString.copyOf(join(r, new byte[57]));
        for (int i = 0; i < 16; i++) {
          assertThat(verifier().verifies(key, SignatureAlgorithm.ED448, octets("m" + i), signature))
              .isFalse();
        }
      }
    }
  }

  @Test
  void verifies_ecPointOffTheCurve_false() throws Exception {
    SoftwareKey key = SoftwareKey.named("ec-p256");
    byte[] encoded = key.publicKey().encoded();
    encoded[encoded.length - 1] ^= 1;

    assertThat(
            verifier()
                .verifies(
                    PublicKeyReader.read(encoded),
                    SignatureAlgorithm.ECDSA_SHA256,
                    MESSAGE,
                    key.sign(SignatureAlgorithm.ECDSA_SHA256, MESSAGE)))
        .isFalse();
  }

  @Test
  void verifies_rsaKeysThatAreNone_false() throws Exception {
    for (BigInteger modulus :
        List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO, BigInteger.ONE.shiftLeft(2_047))) {
      for (BigInteger exponent : List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO)) {
        SubjectPublicKeyInfo key = rsa(modulus, exponent);

        assertThat(
                verifier()
                    .verifies(
                        key, SignatureAlgorithm.RSA_PKCS1_SHA256, MESSAGE, octets("x".repeat(256))))
            .isFalse();
      }
    }
  }

  /** The library's primality test of a modulus takes a second for each new key of 8192 bits. */
  @Test
  @Timeout(60)
  void verifies_rsaModuliNeverSeen_noPrimalityTestOfEach() throws Exception {
    BigInteger small = BigInteger.ONE;
    for (int i = 3; i < 752; i += 2) {
      small = small.multiply(BigInteger.valueOf(i));
    }
    BigInteger modulus = BigInteger.ONE.shiftLeft(8_191).add(BigInteger.ONE);
    for (int keys = 0; keys < 100; modulus = modulus.add(BigInteger.TWO)) {
      if (modulus.gcd(small).equals(BigInteger.ONE)) {
        SubjectPublicKeyInfo key = rsa(modulus, BigInteger.valueOf(65_537));
        assertThat(
                verifier()
                    .verifies(
                        key,
                        SignatureAlgorithm.RSA_PKCS1_SHA256,
                        MESSAGE,
                        octets("x".repeat(1_024))))
            .isFalse();
        keys++;
      }
    }
  }

  @Test
  void verifies_seededNoise_neverThrowsNorAccepts() {
    for (Case c : cases()) {
      byte[] real = c.signature().octets();
      for (long seed = 1; seed <= 60; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] noise = org.sluiceca.core.der.Mutations.of(real, random);
        if (!Arrays.equals(noise, real)) {
          assertThat(c.verifies(MESSAGE, OctetString.copyOf(noise)))
              .as("%s seed %d", c, seed)
              .isFalse();
        }
      }
    }
  }

  private List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (String name : SoftwareKey.NAMES) {
      SoftwareKey key = SoftwareKey.named(name);
      for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
        if (algorithm.fits(key.publicKey().key().algorithm())) {
          cases.add(new Case(verifier(), key, algorithm));
        }
      }
    }
    return cases;
  }

  private Case caseOf(String name) {
    SoftwareKey key = SoftwareKey.named(name);
    return new Case(verifier(), key, SignatureAlgorithm.ofIssuer(key.publicKey().key()));
  }

  private static boolean verifiesPair(Case c, BigInteger r, BigInteger s) {
    return c.verifies(MESSAGE, OctetString.copyOf(sequence(integer(r), integer(s))));
  }

  /** Takes apart a P-256 signature, whose lengths all fit one octet. */
  private static BigInteger[] ecdsaPair(OctetString signature) {
    byte[] octets = signature.octets();
    int length = octets[3];
    return new BigInteger[] {
      new BigInteger(Arrays.copyOfRange(octets, 4, 4 + length)),
      new BigInteger(Arrays.copyOfRange(octets, 6 + length, octets.length))
    };
  }

  private static byte[] tail(byte[] bytes, int from) {
    return Arrays.copyOfRange(bytes, from, bytes.length);
  }

  private static SubjectPublicKeyInfo ed25519(byte[] point) throws DerException {
    return PublicKeyReader.read(sequence(sequence(hex("06032b6570")), bitString(point)));
  }

  private static SubjectPublicKeyInfo ed448(String point) throws DerException {
    return PublicKeyReader.read(sequence(sequence(hex("06032b6571")), bitString(hex(point))));
  }

  private boolean verifiesEd448(SubjectPublicKeyInfo key, String message, String signature) {
    return verifier()
        .verifies(
            key,
            SignatureAlgorithm.ED448,
            OctetString.copyOf(hex(message)),
            OctetString.copyOf(hex(signature)));
  }

  private static SubjectPublicKeyInfo rsa(BigInteger modulus, BigInteger exponent)
      throws DerException {
    return PublicKeyReader.read(
        sequence(
            sequence(hex("06092a864886f70d010101"), hex("0500")),
            bitString(sequence(integer(modulus), integer(exponent)))));
  }

  private static OctetString octets(String text) {
    return OctetString.copyOf(text.getBytes(StandardCharsets.US_ASCII));
  }
}
