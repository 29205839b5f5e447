package org.sluiceca.core.der;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.NameAttribute;

/** The encodings of object identifiers (X.690 8.19): kept for those that this CA writes often. */
final class ObjectIdentifiers {

  static final String AD_OCSP = "1.3.6.1.5.5.7.48.1";
  static final String AD_CA_ISSUERS = "1.3.6.1.5.5.7.48.2";

  private static final Map<String, byte[]> KEPT = kept();

  private ObjectIdentifiers() {}

  /** Puts the whole encoding in front of what {@code out} has. */
  static void write(DerWriter out, String oid) {
    byte[] kept = KEPT.get(oid);
    out.octets(kept == null ? encode(oid) : kept);
  }

  private static Map<String, byte[]> kept() {
    Map<String, byte[]> kept = new HashMap<>();
    for (String oid :
        List.of(
            ExtensionOids.SUBJECT_KEY_IDENTIFIER,
            ExtensionOids.KEY_USAGE,
            ExtensionOids.SUBJECT_ALT_NAME,
            ExtensionOids.BASIC_CONSTRAINTS,
            ExtensionOids.NAME_CONSTRAINTS,
            ExtensionOids.CRL_DISTRIBUTION_POINTS,
            ExtensionOids.CERTIFICATE_POLICIES,
            ExtensionOids.AUTHORITY_KEY_IDENTIFIER,
            ExtensionOids.EXTENDED_KEY_USAGE,
            ExtensionOids.NO_REVOCATION_AVAILABLE,
            ExtensionOids.AUTHORITY_INFORMATION_ACCESS,
            ExtensionOids.OCSP_NO_CHECK,
            AD_OCSP,
            AD_CA_ISSUERS)) {
      kept.put(oid, encode(oid));
    }
    for (ExtendedKeyUsage purpose : ExtendedKeyUsage.known()) {
      kept.put(purpose.oid(), encode(purpose.oid()));
    }
    for (NameAttribute type : NameAttribute.values()) {
      kept.put(type.oid(), encode(type.oid()));
    }
    return Map.copyOf(kept);
  }

  private static byte[] encode(String oid) {
    return Encodings.der(new ASN1ObjectIdentifier(oid));
  }
}
