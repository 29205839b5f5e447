package org.sluiceca.hsm.pkcs11;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.SubjectPublicKeyInfo;

/** A token's public key object as a SubjectPublicKeyInfo, encoded by the JDK. */
final class TokenPublicKey {
  private static final int DER_OCTET_STRING = 0x04;
  private static final int ED25519_BYTES = 32;

  private TokenPublicKey() {}

  /** Reads the attributes that its CKA_KEY_TYPE has and encodes them. */
  static SubjectPublicKeyInfo read(Cryptoki cryptoki, SessionHandle session, long object) {
    Object keyType = cryptoki.attribute(session, object, Cka.KEY_TYPE);
    try {
      byte[] der =
          switch (keyType) {
            case Long type when type == Cka.CKK_RSA ->
                rsa(
                    bytes(cryptoki, session, object, Cka.MODULUS),
                    bytes(cryptoki, session, object, Cka.PUBLIC_EXPONENT));
            case Long type when type == Cka.CKK_EC ->
                ec(
                    bytes(cryptoki, session, object, Cka.EC_PARAMS),
                    bytes(cryptoki, session, object, Cka.EC_POINT));
            case Long type when type == Cka.CKK_EC_EDWARDS ->
                ed25519(bytes(cryptoki, session, object, Cka.EC_POINT));
            default -> throw new GeneralSecurityException("CKA_KEY_TYPE " + keyType);
          };
      return SubjectPublicKeyInfo.of(der);
    } catch (GeneralSecurityException e) {
      throw new HsmException.KeyMissing("the token's public key cannot be used: " + e.getMessage());
    }
  }

  static byte[] rsa(byte[] modulus, byte[] publicExponent) throws GeneralSecurityException {
    return KeyFactory.getInstance("RSA")
        .generatePublic(
            new RSAPublicKeySpec(new BigInteger(1, modulus), new BigInteger(1, publicExponent)))
        .getEncoded();
  }

  static byte[] ec(byte[] parameters, byte[] point) throws GeneralSecurityException {
    ECParameterSpec curve = curve(parameters);
    int width = (curve.getCurve().getField().getFieldSize() + 7) / 8;
    // SEC 1 2.3.3: an uncompressed point is 04 || x || y.
    byte[] raw = unwrap(point, 1 + 2 * width);
    if (raw[0] != 0x04) {
      throw new GeneralSecurityException("CKA_EC_POINT is not an uncompressed point");
    }
    ECPoint w =
        new ECPoint(
            new BigInteger(1, Arrays.copyOfRange(raw, 1, 1 + width)),
            new BigInteger(1, Arrays.copyOfRange(raw, 1 + width, 1 + 2 * width)));
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(w, curve)).getEncoded();
  }

  static byte[] ed25519(byte[] point) throws GeneralSecurityException {
    // RFC 8032 5.1.2: little-endian y, the top bit is the sign of x.
    byte[] raw = unwrap(point, ED25519_BYTES);
    boolean isXodd = (raw[ED25519_BYTES - 1] & 0x80) != 0;
    byte[] y = new byte[ED25519_BYTES];
    for (int i = 0; i < ED25519_BYTES; i++) {
      y[i] = raw[ED25519_BYTES - 1 - i];
    }
    y[0] &= 0x7F;
    EdECPublicKeySpec spec =
        new EdECPublicKeySpec(
            NamedParameterSpec.ED25519, new EdECPoint(isXodd, new BigInteger(1, y)));
    return KeyFactory.getInstance("Ed25519").generatePublic(spec).getEncoded();
  }

  private static ECParameterSpec curve(byte[] parameters) throws GeneralSecurityException {
    // RFC 5480 2.1.1.1: namedCurve, an OBJECT IDENTIFIER.
    String name =
        switch (HexFormat.of().formatHex(parameters)) {
          case "06082a8648ce3d030107" -> "secp256r1";
          case "06052b81040022" -> "secp384r1";
          case "06052b81040023" -> "secp521r1";
          default -> throw new GeneralSecurityException("CKA_EC_PARAMS names no NIST curve");
        };
    AlgorithmParameters ec = AlgorithmParameters.getInstance("EC");
    ec.init(new ECGenParameterSpec(name));
    return ec.getParameterSpec(ECParameterSpec.class);
  }

  /**
   * CKA_EC_POINT is the DER of an OCTET STRING (PKCS#11 v3.1 6.3.3), but some modules leave the
   * wrapping off. The length decides: only one of the two forms can have it.
   */
  private static byte[] unwrap(byte[] point, int length) throws GeneralSecurityException {
    if (point.length == length) {
      return point;
    }
    // Lengths up to 127 take one byte, those up to 255 take 81 and one (X.690 8.1.3).
    int header = length < 128 ? 2 : 3;
    boolean isWrapped =
        point.length == header + length
            && point[0] == DER_OCTET_STRING
            && (header == 2 || (point[1] & 0xFF) == 0x81)
            && (point[header - 1] & 0xFF) == length;
    if (!isWrapped) {
      throw new GeneralSecurityException(
          "CKA_EC_POINT of " + point.length + " bytes where the curve has " + length);
    }
    return Arrays.copyOfRange(point, header, point.length);
  }

  private static byte[] bytes(Cryptoki cryptoki, SessionHandle session, long object, long type)
      throws GeneralSecurityException {
    if (cryptoki.attribute(session, object, type) instanceof byte[] value && value.length > 0) {
      return value;
    }
    throw new GeneralSecurityException(
        String.format(Locale.ROOT, "attribute 0x%X is missing", type));
  }
}
