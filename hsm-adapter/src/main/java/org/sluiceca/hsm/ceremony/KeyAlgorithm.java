package org.sluiceca.hsm.ceremony;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;

/** The kinds of key pair that a ceremony makes. */
public enum KeyAlgorithm {
  RSA_2048(2048),
  RSA_3072(3072),
  RSA_4096(4096),
  /** CKA_EC_PARAMS is the DER of the curve's OBJECT IDENTIFIER (RFC 5480 2.1.1.1). */
  EC_P256(Ckm.EC_KEY_PAIR_GEN, "06082a8648ce3d030107"),
  EC_P384(Ckm.EC_KEY_PAIR_GEN, "06052b81040022"),
  EC_P521(Ckm.EC_KEY_PAIR_GEN, "06052b81040023"),
  /** RFC 8410 3: id-Ed25519. */
  ED25519(Ckm.EC_EDWARDS_KEY_PAIR_GEN, "06032b6570");

  /** Mechanism codes of PKCS#11 v3.1, in a holder because enum constants come first. */
  private static final class Ckm {
    static final long RSA_PKCS_KEY_PAIR_GEN = 0x0000;
    static final long EC_KEY_PAIR_GEN = 0x1040;
    static final long EC_EDWARDS_KEY_PAIR_GEN = 0x1055;
  }

  private static final byte[] F4 = {1, 0, 1};

  private final long ckm;
  private final int modulusBits;
  private final String curve;

  KeyAlgorithm(int modulusBits) {
    this.ckm = Ckm.RSA_PKCS_KEY_PAIR_GEN;
    this.modulusBits = modulusBits;
    this.curve = "";
  }

  KeyAlgorithm(long ckm, String curve) {
    this.ckm = ckm;
    this.modulusBits = 0;
    this.curve = curve;
  }

  /** The kind of key that makes signatures of this class; empty if no ceremony makes one. */
  static Optional<KeyAlgorithm> of(SignatureClass signatureClass) {
    int bits = signatureClass.keyBits();
    return switch (signatureClass.mechanism()) {
      case RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PSS_SHA256 ->
          Arrays.stream(values()).filter(a -> a.modulusBits == bits && bits > 0).findFirst();
      case ECDSA_SHA256, ECDSA_SHA384, ECDSA_SHA512 ->
          switch (bits) {
            case 256 -> Optional.of(EC_P256);
            case 384 -> Optional.of(EC_P384);
            case 521 -> Optional.of(EC_P521);
            default -> Optional.empty();
          };
      case ED25519 -> Optional.of(ED25519);
    };
  }

  long ckm() {
    return ckm;
  }

  /** What the public half's template says of the kind of key. */
  List<Attribute> publicAttributes() {
    return curve.isEmpty()
        ? List.of(
            Attribute.of(Cka.MODULUS_BITS, (long) modulusBits),
            Attribute.of(Cka.PUBLIC_EXPONENT, F4))
        : List.of(Attribute.of(Cka.EC_PARAMS, HexFormat.of().parseHex(curve)));
  }
}
