package org.sluiceca.hsm.bench.keyless;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;

/** The kinds of issuing keys, each with the way it signs certificates. */
enum KeyKind {
  EC_P256("ec-p256", KeyAlgorithm.EC_P256, Mechanism.ECDSA_SHA256, 256),
  EC_P384("ec-p384", KeyAlgorithm.EC_P384, Mechanism.ECDSA_SHA384, 384),
  ED25519("ed25519", KeyAlgorithm.ED25519, Mechanism.ED25519, 255),
  RSA_2048("rsa-2048", KeyAlgorithm.RSA_2048, Mechanism.RSA_PKCS1_SHA256, 2048),
  RSA_3072("rsa-3072", KeyAlgorithm.RSA_3072, Mechanism.RSA_PKCS1_SHA256, 3072),
  RSA_4096("rsa-4096", KeyAlgorithm.RSA_4096, Mechanism.RSA_PKCS1_SHA256, 4096);

  /** A TBSCertificate is some 800 bytes long. */
  static final int MESSAGE_BYTES = 800;

  private final String text;
  private final KeyAlgorithm algorithm;
  private final Mechanism mechanism;
  private final int bits;

  KeyKind(String text, KeyAlgorithm algorithm, Mechanism mechanism, int bits) {
    this.text = text;
    this.algorithm = algorithm;
    this.mechanism = mechanism;
    this.bits = bits;
  }

  KeyAlgorithm algorithm() {
    return algorithm;
  }

  Mechanism mechanism() {
    return mechanism;
  }

  SignatureClass signatureClass() {
    return new SignatureClass(mechanism, bits);
  }

  /** The CKA_ID of its key in every token of the benchmark. */
  CkaId id() {
    return CkaId.of(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** How many bytes a token is given for a message. */
  int tokenInputBytes() {
    return mechanism.tokenInput(new byte[MESSAGE_BYTES]).length;
  }

  /** A message that no other requester and no other turn has. */
  static byte[] message(int requester, long schedule) {
    byte[] message = new byte[MESSAGE_BYTES];
    message[0] = (byte) requester;
    message[1] = (byte) (requester >> 8);
    for (int i = 0; i < Long.BYTES; i++) {
      message[2 + i] = (byte) (schedule >> (Byte.SIZE * i));
    }
    return message;
  }

  /** Whether the JDK takes this signature for that of the key. */
  boolean isSignature(KeyRef key, byte[] message, byte[] signature) {
    try {
      Signature verifier = Signature.getInstance(jdkName());
      verifier.initVerify(
          KeyFactory.getInstance(jdkKey())
              .generatePublic(new X509EncodedKeySpec(key.publicKey().der())));
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private String jdkName() {
    return switch (this) {
      case EC_P256 -> "SHA256withECDSAinP1363Format";
      case EC_P384 -> "SHA384withECDSAinP1363Format";
      case ED25519 -> "Ed25519";
      case RSA_2048, RSA_3072, RSA_4096 -> "SHA256withRSA";
    };
  }

  private String jdkKey() {
    return switch (this) {
      case EC_P256, EC_P384 -> "EC";
      case ED25519 -> "Ed25519";
      case RSA_2048, RSA_3072, RSA_4096 -> "RSA";
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
