package org.sluiceca.api.http.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.der.Pem;

class PrivateKeysTest {

  /** PBES2 (RFC 8018 6.2): the first octets of what openssl pkcs8 -topk8 writes. */
  private static final String ENCRYPTED =
      "3081ec305706092a864886f70d01050d304a302906092a864886f70d01050c301c0408";

  private static final String PKCS12 = "308203e20201033082039806092a864886f70d010701a0820389";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "DSA PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK"
      })
  void isIn_pemOfAnyKind_found(String label) {
    String block = Pem.write(label, new byte[40]);
    String request = Pem.write(Pem.CERTIFICATE_REQUEST, new byte[40]);

    for (String text :
        List.of(
            block,
            block + request,
            request + block,
            "Bag Attributes\r\n" + block.replace("\n", "\r\n"),
            "{\"csr\": \"" + (request + block).replace("\n", "\\n") + "\"}")) {
      assertFoundInEveryEncoding(text);
    }
  }

  /** PowerShell 5 writes UTF-16 with a mark, which the parser of requests reads as well. */
  private static void assertFoundInEveryEncoding(String text) {
    String marked = "\ufeff" + text;
    for (byte[] octets :
        List.of(
            text.getBytes(StandardCharsets.UTF_8),
            marked.getBytes(StandardCharsets.UTF_8),
            marked.getBytes(StandardCharsets.UTF_16LE),
            marked.getBytes(StandardCharsets.UTF_16BE),
            text.getBytes(StandardCharsets.UTF_16LE),
            text.getBytes(StandardCharsets.UTF_16BE),
            text.replace("\n", "\\n").getBytes(StandardCharsets.UTF_8))) {
      assertThat(PrivateKeys.isIn(octets)).as(text).isTrue();
    }
  }

  @Test
  void isIn_derAndBase64OfEveryForm_found() throws GeneralSecurityException {
    List<byte[]> keys = new ArrayList<>();
    for (KeyPair pair : keys()) {
      PrivateKeyInfo info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
      keys.add(pair.getPrivate().getEncoded());
      if (!pair.getPrivate().getAlgorithm().equals("EdDSA")) {
        // PKCS#1 or SEC 1; the inside of an Ed25519 key is bare octets.
        keys.add(info.getPrivateKey().getOctets());
      }
    }
    byte[] encrypted = padded(ENCRYPTED, 239);
    encrypted[5 + 0x57] = 0x04;
    keys.add(encrypted);
    keys.add(padded(PKCS12, 998));

    for (byte[] key : keys) {
      assertThat(PrivateKeys.isIn(key)).as(HexFormat.of().formatHex(key)).isTrue();
      for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getMimeEncoder())) {
        assertFoundInEveryEncoding(encoder.encodeToString(key));
      }
    }
  }

  @Test
  void isIn_publicThings_notFound() throws GeneralSecurityException {
    for (KeyPair pair : keys()) {
      byte[] key = pair.getPublic().getEncoded();
      assertThat(PrivateKeys.isIn(key)).isFalse();
      assertThat(PrivateKeys.isIn(Base64.getEncoder().encode(key))).isFalse();
      assertThat(PrivateKeys.isIn(Pem.write(Pem.PUBLIC_KEY, key).getBytes(StandardCharsets.UTF_8)))
          .isFalse();
    }
    assertThat(PrivateKeys.isIn(new byte[0])).isFalse();
    assertThat(PrivateKeys.isIn("{\"profile\":\"tls-server\"}".getBytes(StandardCharsets.UTF_8)))
        .isFalse();
  }

  /**
   * A request has SEQUENCE, SEQUENCE, INTEGER; whatever is cut off or forged ends without error.
   */
  @Test
  void isIn_anyOctets_neverThrows() {
    SplittableRandom random = new SplittableRandom(5);
    byte[] whole = padded(ENCRYPTED, 64);
    for (int i = 0; i < 20_000; i++) {
      byte[] octets = new byte[random.nextInt(40)];
      random.nextBytes(octets);
      if (octets.length > 1 && i % 2 == 0) {
        octets[0] = 0x30;
      }
      for (int at = 0; i % 3 == 0 && at < octets.length; at++) {
        octets[at] = random.nextInt(5) == 0 ? octets[at] : whole[at];
      }
      assertThat(PrivateKeys.isIn(octets)).isIn(true, false);
    }
    assertThat(PrivateKeys.isIn(HexFormat.of().parseHex("3082010a3081b3020100" + "30".repeat(20))))
        .isFalse();
  }

  @Test
  void check_key_refusedByNameWithWhatToDo() {
    byte[] body = Pem.write("EC PRIVATE KEY", new byte[40]).getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> PrivateKeyGuard.check(body))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.type()).isEqualTo(ProblemType.PRIVATE_KEY_SENT))
        .hasMessageContaining("private key")
        .hasMessageContaining("exposed")
        .hasMessageContaining("keyCompromise");
  }

  private static List<KeyPair> keys() throws GeneralSecurityException {
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(1024);
    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
    ec.initialize(new ECGenParameterSpec("secp256r1"));
    return List.of(
        rsa.generateKeyPair(),
        ec.generateKeyPair(),
        KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
  }

  private static byte[] padded(String head, int length) {
    byte[] octets = new byte[length];
    byte[] start = HexFormat.of().parseHex(head);
    System.arraycopy(start, 0, octets, 0, Math.min(start.length, length));
    return octets;
  }
}
