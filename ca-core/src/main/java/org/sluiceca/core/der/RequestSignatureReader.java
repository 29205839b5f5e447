package org.sluiceca.core.der;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.der.DerScan.Element;
import org.sluiceca.core.x509.OidNames;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * Reads the signatureAlgorithm of a certification request. Takes what RFC 4055 wants every reader
 * to take: hashes and PKCS #1 signatures with NULL or absent parameters (2.1, 5), PSS parameters
 * with defaults left out or written, and any salt length (3.1). Nothing of it reaches the
 * certificate.
 */
final class RequestSignatureReader {

  /** RFC 4055 3.1: saltLength is DEFAULT 20. */
  static final int PSS_SALT_OCTETS_DEFAULT = 20;

  /** An RSA-8192 signature has 1,024 octets; salt and hash must fit into them. */
  static final int PSS_SALT_OCTETS_MAX = 1022;

  private static final String WHAT = "signature algorithm";
  private static final int NULL = 0x05;
  private static final int SALT_LENGTH = 0xA2;
  private static final int TRAILER_FIELD = 0xA3;
  private static final String RSASSA_PSS = "1.2.840.113549.1.1.10";
  private static final String MGF1 = "1.2.840.113549.1.1.8";
  private static final String SHA1 = "1.3.14.3.2.26";

  private static final Map<String, SignatureAlgorithm> RSA =
      Map.of(
          "1.2.840.113549.1.1.11", SignatureAlgorithm.RSA_PKCS1_SHA256,
          "1.2.840.113549.1.1.12", SignatureAlgorithm.RSA_PKCS1_SHA384,
          "1.2.840.113549.1.1.13", SignatureAlgorithm.RSA_PKCS1_SHA512);

  /** RFC 5758 3.2 and RFC 8410 3: parameters are absent. */
  private static final Map<String, SignatureAlgorithm> WITHOUT_PARAMETERS =
      Map.of(
          "1.2.840.10045.4.3.2", SignatureAlgorithm.ECDSA_SHA256,
          "1.2.840.10045.4.3.3", SignatureAlgorithm.ECDSA_SHA384,
          "1.2.840.10045.4.3.4", SignatureAlgorithm.ECDSA_SHA512,
          "1.3.101.112", SignatureAlgorithm.ED25519,
          "1.3.101.113", SignatureAlgorithm.ED448);

  private static final Map<String, SignatureAlgorithm> PSS_BY_HASH =
      Map.of(
          "2.16.840.1.101.3.4.2.1", SignatureAlgorithm.RSASSA_PSS_SHA256,
          "2.16.840.1.101.3.4.2.2", SignatureAlgorithm.RSASSA_PSS_SHA384,
          "2.16.840.1.101.3.4.2.3", SignatureAlgorithm.RSASSA_PSS_SHA512);

  private RequestSignatureReader() {}

  /**
   * An algorithm with the parameter in which PSS signatures differ.
   *
   * @param pssSaltOctets of PSS alone, 0 to {@value #PSS_SALT_OCTETS_MAX}
   */
  record Algorithm(SignatureAlgorithm algorithm, OptionalInt pssSaltOctets) {}

  static Algorithm read(Element identifier) throws DerException {
    List<Element> parts = parts(identifier);
    String oid = oid(parts);
    SignatureAlgorithm rsa = RSA.get(oid);
    if (rsa != null) {
      demandAbsentOrNull(oid, parts);
      return new Algorithm(rsa, OptionalInt.empty());
    }
    SignatureAlgorithm other = WITHOUT_PARAMETERS.get(oid);
    if (other != null) {
      if (parts.size() != 1) {
        throw refused(
            String.format(
                Locale.ROOT, "%s with parameters, which must be absent", OidNames.shown(oid)));
      }
      return new Algorithm(other, OptionalInt.empty());
    }
    if (oid.equals(RSASSA_PSS)) {
      if (parts.size() != 2) {
        throw refused(OidNames.shown(oid) + " without parameters (RFC 4055 3.1)");
      }
      return pss(parts.get(1).elements(WHAT, DerWriter.SEQUENCE));
    }
    throw refused(
        OidNames.shown(oid)
            + " is not supported: sign the request with SHA-256, SHA-384 or SHA-512, "
            + "or with Ed25519 or Ed448");
  }

  /** RFC 4055 3.1: RSASSA-PSS-params, four fields with explicit tags, each with a default. */
  private static Algorithm pss(List<Element> fields) throws DerException {
    String hash = SHA1;
    String maskHash = SHA1;
    int salt = PSS_SALT_OCTETS_DEFAULT;
    int last = 0;
    for (Element field : fields) {
      if (field.tag() <= last) {
        throw new DerException(WHAT + " RSASSA-PSS is malformed: a parameter out of its order");
      }
      last = field.tag();
      List<Element> values = field.elements(WHAT);
      if (values.size() != 1) {
        throw new DerException(WHAT + " RSASSA-PSS is malformed: a parameter not of one value");
      }
      Element value = values.getFirst();
      switch (field.tag()) {
        case 0xA0 -> hash = hash(value);
        case 0xA1 -> maskHash = maskHash(value);
        case SALT_LENGTH -> salt = number(value);
        case TRAILER_FIELD -> {
          if (number(value) != 1) {
            throw refused("RSASSA-PSS with another trailerField than 1 (RFC 4055 3.1)");
          }
        }
        default -> throw new DerException(WHAT + " RSASSA-PSS is malformed: an unknown parameter");
      }
    }
    SignatureAlgorithm algorithm = PSS_BY_HASH.get(hash);
    if (algorithm == null) {
      throw refused(
          String.format(
              Locale.ROOT,
              "RSASSA-PSS with %s is not supported: use SHA-256, SHA-384 or SHA-512",
              OidNames.shown(hash)));
    }
    if (!maskHash.equals(hash)) {
      throw refused(
          String.format(
              Locale.ROOT,
              "RSASSA-PSS with %s and MGF1 with %s is not supported: use the same hash for both",
              OidNames.shown(hash),
              OidNames.shown(maskHash)));
    }
    if (salt > PSS_SALT_OCTETS_MAX) {
      throw refused(
          String.format(
              Locale.ROOT,
              "RSASSA-PSS with a salt of %d octets, allowed 0 to %d",
              salt,
              PSS_SALT_OCTETS_MAX));
    }
    return new Algorithm(algorithm, OptionalInt.of(salt));
  }

  /** RFC 4055 2.1: of a hash, NULL and absent parameters MUST both be accepted. */
  private static String hash(Element identifier) throws DerException {
    List<Element> parts = parts(identifier);
    demandAbsentOrNull(oid(parts), parts);
    return oid(parts);
  }

  private static String maskHash(Element identifier) throws DerException {
    List<Element> parts = parts(identifier);
    String oid = oid(parts);
    if (!oid.equals(MGF1)) {
      throw refused(
          String.format(
              Locale.ROOT,
              "RSASSA-PSS with the mask %s is not supported: use MGF1",
              OidNames.shown(oid)));
    }
    if (parts.size() != 2) {
      throw refused("RSASSA-PSS with MGF1 without a hash (RFC 4055 2.2)");
    }
    return hash(parts.get(1));
  }

  private static List<Element> parts(Element identifier) throws DerException {
    List<Element> parts = identifier.elements(WHAT, DerWriter.SEQUENCE);
    if (parts.isEmpty() || parts.size() > 2) {
      throw new DerException(WHAT + " is malformed: " + parts.size() + " elements");
    }
    return parts;
  }

  private static String oid(List<Element> parts) throws DerException {
    return CsrReader.oid(WHAT, parts.getFirst());
  }

  private static void demandAbsentOrNull(String oid, List<Element> parts) throws DerException {
    if (parts.size() == 2 && (parts.get(1).tag() != NULL || parts.get(1).content().length != 0)) {
      throw refused(
          String.format(
              Locale.ROOT,
              "%s with parameters other than NULL (RFC 4055 2.1)",
              OidNames.shown(oid)));
    }
  }

  /** A number of at most four octets; one that is larger or negative is above every bound here. */
  private static int number(Element value) throws DerException {
    byte[] octets = value.demand(WHAT, DerWriter.INTEGER).content();
    if (octets.length == 0) {
      throw new DerException(WHAT + " RSASSA-PSS is malformed: an empty number");
    }
    if (octets.length > 3 || octets[0] < 0) {
      return Integer.MAX_VALUE;
    }
    int number = 0;
    for (byte octet : octets) {
      number = (number << 8) | (octet & 0xFF);
    }
    return number;
  }

  private static DerException refused(String what) {
    return new DerException(Kind.SIGNATURE_NOT_SUPPORTED, WHAT + " " + what);
  }
}
