package org.sluiceca.core.der;

import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.util.Arrays;
import org.bouncycastle.util.BigIntegers;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Writes public keys that came in another form, in the one form that {@link PublicKeyReader} takes.
 */
public final class PublicKeyWriter {

  private static final byte UNCOMPRESSED = 0x04;

  private PublicKeyWriter() {}

  /**
   * Encodes a key.
   *
   * @throws DerException if the reader would not take it, such as a coordinate beyond its field
   */
  public static SubjectPublicKeyInfo write(SubjectPublicKey key) throws DerException {
    return PublicKeyReader.read(
        Encodings.der(
            switch (key) {
              case SubjectPublicKey.Rsa rsa ->
                  info(
                      new AlgorithmIdentifier(
                          PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                      Encodings.der(new RSAPublicKey(rsa.modulus(), rsa.publicExponent())));
              case SubjectPublicKey.Ec ec ->
                  info(
                      new AlgorithmIdentifier(
                          X9ObjectIdentifiers.id_ecPublicKey, curve(ec.algorithm())),
                      point(ec));
              case SubjectPublicKey.EdDsa edDsa ->
                  info(
                      new AlgorithmIdentifier(
                          edDsa.algorithm() == PublicKeyAlgorithm.ED25519
                              ? AlgorithmIdentifiers.ED25519
                              : AlgorithmIdentifiers.ED448),
                      edDsa.point().octets());
            }));
  }

  private static org.bouncycastle.asn1.x509.SubjectPublicKeyInfo info(
      AlgorithmIdentifier algorithm, byte[] key) {
    return new org.bouncycastle.asn1.x509.SubjectPublicKeyInfo(algorithm, key);
  }

  private static ASN1ObjectIdentifier curve(PublicKeyAlgorithm algorithm) {
    return switch (algorithm) {
      case EC_P256 -> X9ObjectIdentifiers.prime256v1;
      case EC_P384 -> SECObjectIdentifiers.secp384r1;
      case EC_P521 -> SECObjectIdentifiers.secp521r1;
      default -> throw new IllegalArgumentException(algorithm + " is no curve of this kind");
    };
  }

  /** RFC 5480 2.2: 04, x, y. */
  private static byte[] point(SubjectPublicKey.Ec ec) throws DerException {
    int field = (ec.algorithm().curveBits() + 7) / 8;
    return Arrays.concatenate(
        new byte[] {UNCOMPRESSED}, coordinate(ec.x(), field), coordinate(ec.y(), field));
  }

  private static byte[] coordinate(BigInteger value, int octets) throws DerException {
    if (value.signum() < 0 || value.bitLength() > 8 * octets) {
      throw new DerException("EC point with a coordinate beyond its field");
    }
    return BigIntegers.asUnsignedByteArray(octets, value);
  }
}
