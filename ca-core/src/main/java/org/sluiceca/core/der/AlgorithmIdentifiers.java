package org.sluiceca.core.der;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSASSAPSSparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.x509.OidNames;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * The AlgorithmIdentifier of each {@link SignatureAlgorithm}: RFC 4055 (RSA, with NULL; PSS with
 * its parameters), RFC 5758 (ECDSA, parameters absent), RFC 8410 (Ed25519 and Ed448, parameters
 * absent).
 */
final class AlgorithmIdentifiers {

  static final ASN1ObjectIdentifier ED25519 = new ASN1ObjectIdentifier("1.3.101.112");
  static final ASN1ObjectIdentifier ED448 = new ASN1ObjectIdentifier("1.3.101.113");

  private static final Map<SignatureAlgorithm, AlgorithmIdentifier> BY_ALGORITHM =
      new EnumMap<>(SignatureAlgorithm.class);

  private static final Map<SignatureAlgorithm, byte[]> ENCODED =
      new EnumMap<>(SignatureAlgorithm.class);

  static {
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      BY_ALGORITHM.put(algorithm, identifierOf(algorithm));
      ENCODED.put(algorithm, Encodings.der(identifierOf(algorithm)));
    }
  }

  private AlgorithmIdentifiers() {}

  static AlgorithmIdentifier of(SignatureAlgorithm algorithm) {
    AlgorithmIdentifier identifier = BY_ALGORITHM.get(algorithm);
    if (identifier == null) {
      throw new IllegalStateException("no identifier for " + algorithm);
    }
    return identifier;
  }

  /** Puts an identifier's encoding in front of what {@code out} has. */
  static void write(DerWriter out, SignatureAlgorithm algorithm) {
    byte[] encoded = ENCODED.get(algorithm);
    if (encoded == null) {
      throw new IllegalStateException("no identifier for " + algorithm);
    }
    out.octets(encoded);
  }

  /** Recognises an identifier by its whole encoding: other parameters are another algorithm. */
  static SignatureAlgorithm read(AlgorithmIdentifier identifier) throws DerException {
    for (Map.Entry<SignatureAlgorithm, AlgorithmIdentifier> known : BY_ALGORITHM.entrySet()) {
      // The OID first: it distinguishes most of them without encoding the parameters.
      if (known.getValue().getAlgorithm().equals(identifier.getAlgorithm())
          && known.getValue().equals(identifier)) {
        return known.getKey();
      }
    }
    throw new DerException(
        Kind.SIGNATURE_NOT_SUPPORTED,
        String.format(
            Locale.ROOT,
            "signature algorithm %s is not supported, or not with these parameters",
            OidNames.shown(identifier.getAlgorithm().getId())));
  }

  private static AlgorithmIdentifier identifierOf(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      case RSA_PKCS1_SHA256 -> withNull(PKCSObjectIdentifiers.sha256WithRSAEncryption);
      case RSA_PKCS1_SHA384 -> withNull(PKCSObjectIdentifiers.sha384WithRSAEncryption);
      case RSA_PKCS1_SHA512 -> withNull(PKCSObjectIdentifiers.sha512WithRSAEncryption);
      case RSASSA_PSS_SHA256 -> pss(NISTObjectIdentifiers.id_sha256, 32);
      case RSASSA_PSS_SHA384 -> pss(NISTObjectIdentifiers.id_sha384, 48);
      case RSASSA_PSS_SHA512 -> pss(NISTObjectIdentifiers.id_sha512, 64);
      case ECDSA_SHA256 -> new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
      case ECDSA_SHA384 -> new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA384);
      case ECDSA_SHA512 -> new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA512);
      case ED25519 -> new AlgorithmIdentifier(ED25519);
      case ED448 -> new AlgorithmIdentifier(ED448);
    };
  }

  private static AlgorithmIdentifier withNull(ASN1ObjectIdentifier oid) {
    return new AlgorithmIdentifier(oid, DERNull.INSTANCE);
  }

  /** RFC 4055 3.1: MGF1 with the same hash, the salt as long as the hash, trailer field 1. */
  private static AlgorithmIdentifier pss(ASN1ObjectIdentifier hash, int saltLength) {
    AlgorithmIdentifier hashIdentifier = withNull(hash);
    return new AlgorithmIdentifier(
        PKCSObjectIdentifiers.id_RSASSA_PSS,
        new RSASSAPSSparams(
            hashIdentifier,
            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, hashIdentifier),
            new ASN1Integer(saltLength),
            new ASN1Integer(1)));
  }
}
