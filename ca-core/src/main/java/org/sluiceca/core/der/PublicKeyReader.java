package org.sluiceca.core.der;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.OidNames;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Reads SubjectPublicKeyInfo: RSA (RFC 3279 2.3.1), EC on named curves with uncompressed points
 * (RFC 5480 2.2), Ed25519 and Ed448 (RFC 8410 4). Explicit curve parameters and compressed points
 * are refused. Thread-safe.
 */
public final class PublicKeyReader {

  /** RFC 8032 5.1.5 and 5.2.5. */
  private static final int ED25519_OCTETS = 32;

  private static final int ED448_OCTETS = 57;

  /** SEC 1 2.3.3: the first octet of a point; 6 and 7 are the hybrid forms of X9.62. */
  private static final byte AT_INFINITY = 0x00;

  private static final byte COMPRESSED_EVEN = 0x02;
  private static final byte COMPRESSED_ODD = 0x03;
  private static final byte UNCOMPRESSED = 0x04;

  private PublicKeyReader() {}

  /** Reads a key from its encoding. */
  public static SubjectPublicKeyInfo read(byte[] der) throws DerException {
    return StrictDer.read(
        "public key",
        der,
        p -> of(org.bouncycastle.asn1.x509.SubjectPublicKeyInfo.getInstance(p), der));
  }

  /** Returns the subjectPublicKey's bits (RFC 5280 4.1), which key identifiers hash. */
  public static OctetString subjectPublicKey(SubjectPublicKeyInfo key) {
    try {
      // algorithm, subjectPublicKey (RFC 5280 4.1); the reader has let nothing else pass.
      byte[] bits = DerScan.elements("public key", key.encoded()).get(1).content();
      return OctetString.copyOf(Arrays.copyOfRange(bits, 1, bits.length)); // X.690 8.6.2.
    } catch (DerException e) {
      throw new IllegalStateException("a public key that was read does not read", e);
    }
  }

  static SubjectPublicKeyInfo of(org.bouncycastle.asn1.x509.SubjectPublicKeyInfo spki)
      throws DerException, IOException {
    return of(spki, spki.getEncoded(ASN1Encoding.DER));
  }

  /** Pairs a key with the octets of a canonical encoding from which it was read. */
  static SubjectPublicKeyInfo of(
      org.bouncycastle.asn1.x509.SubjectPublicKeyInfo spki, byte[] encoded)
      throws DerException, IOException {
    return SubjectPublicKeyInfo.of(encoded, keyOf(spki));
  }

  private static SubjectPublicKey keyOf(org.bouncycastle.asn1.x509.SubjectPublicKeyInfo spki)
      throws DerException, IOException {
    ASN1ObjectIdentifier oid = spki.getAlgorithm().getAlgorithm();
    if (spki.getPublicKeyData().getPadBits() != 0) {
      throw new DerException("public key with unused bits");
    }
    if (oid.equals(PKCSObjectIdentifiers.rsaEncryption)) {
      return rsa(spki);
    }
    if (oid.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
      return ec(spki);
    }
    if (oid.equals(AlgorithmIdentifiers.ED25519)) {
      return edDsa(spki, PublicKeyAlgorithm.ED25519, ED25519_OCTETS);
    }
    if (oid.equals(AlgorithmIdentifiers.ED448)) {
      return edDsa(spki, PublicKeyAlgorithm.ED448, ED448_OCTETS);
    }
    throw new DerException(
        Kind.KEY_NOT_SUPPORTED,
        String.format(
            Locale.ROOT,
            "public key algorithm %s is not supported: use RSA (rsaEncryption), EC, Ed25519 or Ed448",
            OidNames.shown(oid.getId())));
  }

  private static SubjectPublicKey rsa(org.bouncycastle.asn1.x509.SubjectPublicKeyInfo spki)
      throws DerException, IOException {
    // RFC 3279 2.3.1: the parameters field MUST be NULL.
    if (!DERNull.INSTANCE.equals(spki.getAlgorithm().getParameters())) {
      throw new DerException("RSA public key without NULL parameters");
    }
    return StrictDer.read(
        "RSA public key", spki.getPublicKeyData().getOctets(), PublicKeyReader::rsaKey);
  }

  private static SubjectPublicKey rsaKey(ASN1Primitive primitive) throws IOException, DerException {
    RSAPublicKey key = RSAPublicKey.getInstance(primitive);
    // The library reads a negative modulus as a positive one; the certificate would copy it.
    if (!key.toASN1Primitive().equals(primitive)) {
      throw new DerException("RSA public key with a negative number");
    }
    return new SubjectPublicKey.Rsa(key.getModulus(), key.getPublicExponent());
  }

  private static SubjectPublicKey edDsa(
      org.bouncycastle.asn1.x509.SubjectPublicKeyInfo spki,
      PublicKeyAlgorithm algorithm,
      int octets)
      throws DerException {
    // RFC 8410 3: the parameters MUST be absent.
    byte[] point = spki.getPublicKeyData().getOctets();
    if (spki.getAlgorithm().getParameters() != null || point.length != octets) {
      throw new DerException("malformed " + algorithm + " public key");
    }
    return new SubjectPublicKey.EdDsa(algorithm, OctetString.copyOf(point));
  }

  private static SubjectPublicKey ec(org.bouncycastle.asn1.x509.SubjectPublicKeyInfo spki)
      throws DerException {
    if (!(spki.getAlgorithm().getParameters() instanceof ASN1ObjectIdentifier curve)) {
      throw new DerException(
          Kind.KEY_NOT_SUPPORTED,
          "EC public key without a named curve (RFC 5480 2.1.1): name the curve by its OID");
    }
    PublicKeyAlgorithm algorithm;
    if (curve.equals(X9ObjectIdentifiers.prime256v1)) {
      algorithm = PublicKeyAlgorithm.EC_P256;
    } else if (curve.equals(SECObjectIdentifiers.secp384r1)) {
      algorithm = PublicKeyAlgorithm.EC_P384;
    } else if (curve.equals(SECObjectIdentifiers.secp521r1)) {
      algorithm = PublicKeyAlgorithm.EC_P521;
    } else {
      throw new DerException(
          Kind.KEY_NOT_SUPPORTED,
          String.format(
              Locale.ROOT,
              "curve %s is not supported: use P-256, P-384 or P-521",
              OidNames.shown(curve.getId())));
    }
    byte[] point = spki.getPublicKeyData().getOctets();
    int field = (algorithm.curveBits() + 7) / 8;
    // RFC 5480 2.2: compressed points MAY be supported; few relying parties do.
    if (point.length == 1 + field && (point[0] == COMPRESSED_EVEN || point[0] == COMPRESSED_ODD)) {
      throw new DerException(
          Kind.KEY_NOT_SUPPORTED, "EC point in compressed form is not supported: uncompress it");
    }
    if (point.length == 1 && point[0] == AT_INFINITY) {
      throw new DerException(Kind.KEY_NOT_VALID, "EC point at infinity is no public key");
    }
    if (point.length != 1 + 2 * field || point[0] != UNCOMPRESSED) {
      throw new DerException("EC point not in uncompressed form");
    }
    return new SubjectPublicKey.Ec(
        algorithm, new BigInteger(1, point, 1, field), new BigInteger(1, point, 1 + field, field));
  }
}
