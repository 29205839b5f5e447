package org.sluiceca.core.der;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x509.PolicyQualifierId;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameConstraints;

/** Writes the extensions of RFC 5280 4.2 (and RFC 9608), each with the criticality it demands. */
public final class Extensions {

  /** The character strings that an extension of a profile's own may hold (X.680 41). */
  public enum TextType {
    UTF8,
    IA5,
    PRINTABLE
  }

  /** RFC 5280 4.2.1.9: cA is DEFAULT FALSE, so nothing stands there. */
  private static final Extension END_ENTITY =
      Extension.of(ExtensionOids.BASIC_CONSTRAINTS, true, new byte[] {0x30, 0x00});

  /** Of AuthorityKeyIdentifier: [0] IMPLICIT (RFC 5280 4.2.1.1). */
  private static final int KEY_IDENTIFIER = 0x80;

  /** Of DistributionPoint and of DistributionPointName: [0] both (RFC 5280 4.2.1.13). */
  private static final int DISTRIBUTION_POINT = 0xA0;

  private static final int FULL_NAME = 0xA0;

  /** What one or two URIs take. */
  private static final int URI_OCTETS_EXPECTED = 128;

  private Extensions() {}

  /** RFC 5280 4.2.1.9; critical. {@code pathLen} only of a CA. */
  public static Extension basicConstraints(boolean ca, OptionalInt pathLen) {
    if (!ca) {
      return END_ENTITY;
    }
    return of(
        ExtensionOids.BASIC_CONSTRAINTS,
        true,
        pathLen.isPresent()
            ? new org.bouncycastle.asn1.x509.BasicConstraints(pathLen.getAsInt())
            : new org.bouncycastle.asn1.x509.BasicConstraints(true));
  }

  /** RFC 5280 4.2.1.3; critical. */
  public static Extension keyUsage(Set<KeyUsage> usages) {
    int octets = 0;
    int last = 0;
    for (KeyUsage usage : usages) {
      octets |= 0x8000 >>> usage.bit();
      last = Math.max(last, usage.bit());
    }
    DerWriter value = new DerWriter(5);
    if (octets == 0) {
      value.octet(0);
    } else {
      // X.690 11.2.2: bits of 0 behind the last named one are not there.
      if (last >= 8) {
        value.octet(octets);
      }
      value.octet(octets >>> 8);
      value.octet(7 - last % 8);
    }
    value.header(DerWriter.BIT_STRING, 0);
    return of(ExtensionOids.KEY_USAGE, true, value);
  }

  /** Bouncy Castle's integer holds bit 0 as 0x80 and bit 8 (decipherOnly) as 0x8000. */
  static int mask(KeyUsage usage) {
    return usage.bit() < 8 ? 0x80 >> usage.bit() : 0x8000;
  }

  /**
   * RFC 5280 4.2.1.12; not critical, but RFC 3161 2.3 wants timeStamping to be. In one order, so
   * that equal sets encode alike.
   */
  public static Extension extendedKeyUsage(Set<ExtendedKeyUsage> purposes) {
    DerWriter value = new DerWriter(2 + 10 * purposes.size());
    for (ExtendedKeyUsage purpose :
        purposes.stream().sorted(ExtendedKeyUsage.ORDER.reversed()).toList()) {
      ObjectIdentifiers.write(value, purpose.oid());
    }
    value.header(DerWriter.SEQUENCE, 0);
    return of(
        ExtensionOids.EXTENDED_KEY_USAGE, purposes.contains(ExtendedKeyUsage.TIME_STAMPING), value);
  }

  /** RFC 5280 4.2.1.4; not critical. */
  public static Extension certificatePolicies(List<CertificatePolicy> policies) {
    ASN1EncodableVector entries = new ASN1EncodableVector();
    for (CertificatePolicy policy : policies) {
      ASN1EncodableVector entry = new ASN1EncodableVector();
      entry.add(new ASN1ObjectIdentifier(policy.oid()));
      ASN1EncodableVector qualifiers = new ASN1EncodableVector();
      policy
          .cpsUri()
          .ifPresent(
              uri ->
                  qualifiers.add(pair(PolicyQualifierId.id_qt_cps, new DERIA5String(uri, true))));
      policy
          .userNotice()
          .ifPresent(
              text ->
                  qualifiers.add(
                      pair(
                          PolicyQualifierId.id_qt_unotice,
                          new DERSequence(new DERUTF8String(text)))));
      if (qualifiers.size() > 0) {
        entry.add(new DERSequence(qualifiers));
      }
      entries.add(new DERSequence(entry));
    }
    return of(ExtensionOids.CERTIFICATE_POLICIES, false, new DERSequence(entries));
  }

  private static DERSequence pair(ASN1ObjectIdentifier id, ASN1Encodable value) {
    ASN1EncodableVector pair = new ASN1EncodableVector();
    pair.add(id);
    pair.add(value);
    return new DERSequence(pair);
  }

  /** RFC 5280 4.2.1.10; critical. Of a CA, with one subtree at least. */
  public static Extension nameConstraints(NameConstraints constraints) {
    return of(ExtensionOids.NAME_CONSTRAINTS, true, NameConstraintCodec.write(constraints));
  }

  /** RFC 6960 4.2.2.2.1; not critical. */
  public static Extension ocspNoCheck() {
    return of(ExtensionOids.OCSP_NO_CHECK, false, DERNull.INSTANCE);
  }

  /**
   * An extension of any kind from its value, which must be one strict DER value.
   *
   * @throws DerException if it is not
   */
  public static Extension ofDer(String oid, boolean critical, byte[] value) throws DerException {
    return StrictDer.read(
        "extension " + oid, value, p -> Extension.of(oid, critical, p.getEncoded()));
  }

  /** An extension whose value is one character string; {@code text} must fit its type. */
  public static Extension ofText(String oid, boolean critical, TextType type, String text) {
    return of(
        oid,
        critical,
        switch (type) {
          case UTF8 -> new DERUTF8String(text);
          case IA5 -> new DERIA5String(text, true);
          case PRINTABLE -> new DERPrintableString(text, true);
        });
  }

  /** RFC 5280 4.2.1.6; critical iff the subject is empty, which is the caller's to say. */
  public static Extension subjectAltName(List<GeneralName> names, boolean critical) {
    return of(ExtensionOids.SUBJECT_ALT_NAME, critical, GeneralNames.write(names));
  }

  /** RFC 5280 4.2.1.1; not critical. */
  public static Extension authorityKeyIdentifier(byte[] keyIdentifier) {
    DerWriter value = new DerWriter(4 + keyIdentifier.length);
    value.octets(keyIdentifier);
    value.header(KEY_IDENTIFIER, 0);
    value.header(DerWriter.SEQUENCE, 0);
    return of(ExtensionOids.AUTHORITY_KEY_IDENTIFIER, false, value);
  }

  /** RFC 5280 4.2.1.2; not critical. */
  public static Extension subjectKeyIdentifier(byte[] keyIdentifier) {
    DerWriter value = new DerWriter(2 + keyIdentifier.length);
    value.octets(keyIdentifier);
    value.header(DerWriter.OCTET_STRING, 0);
    return of(ExtensionOids.SUBJECT_KEY_IDENTIFIER, false, value);
  }

  /** RFC 5280 4.2.2.1 with a caIssuers URI; not critical. */
  public static Extension authorityInformationAccess(String caIssuersUri) {
    return authorityInformationAccess(caIssuersUri, Optional.empty());
  }

  /** RFC 5280 4.2.2.1 with a caIssuers URI, and before it the OCSP responder's; not critical. */
  public static Extension authorityInformationAccess(
      String caIssuersUri, Optional<String> ocspUri) {
    DerWriter value = new DerWriter(URI_OCTETS_EXPECTED);
    writeAccess(value, ObjectIdentifiers.AD_CA_ISSUERS, caIssuersUri);
    if (ocspUri.isPresent()) {
      writeAccess(value, ObjectIdentifiers.AD_OCSP, ocspUri.get());
    }
    value.header(DerWriter.SEQUENCE, 0);
    return of(ExtensionOids.AUTHORITY_INFORMATION_ACCESS, false, value);
  }

  private static void writeAccess(DerWriter out, String method, String uri) {
    int end = out.written();
    GeneralNames.writeUri(out, uri);
    ObjectIdentifiers.write(out, method);
    out.header(DerWriter.SEQUENCE, end);
  }

  /** RFC 5280 4.2.1.13 with one URI and no reasons; not critical. */
  public static Extension crlDistributionPoint(String uri) {
    DerWriter value = new DerWriter(URI_OCTETS_EXPECTED);
    GeneralNames.writeUri(value, uri);
    value.header(FULL_NAME, 0);
    value.header(DISTRIBUTION_POINT, 0);
    value.header(DerWriter.SEQUENCE, 0);
    value.header(DerWriter.SEQUENCE, 0);
    return of(ExtensionOids.CRL_DISTRIBUTION_POINTS, false, value);
  }

  /** RFC 9608 2: no revocation information will ever be available; not critical. */
  public static Extension noRevocationAvailable() {
    return of(ExtensionOids.NO_REVOCATION_AVAILABLE, false, DERNull.INSTANCE);
  }

  private static Extension of(String oid, boolean critical, DerWriter value) {
    return Extension.of(oid, critical, value.toByteArray());
  }

  private static Extension of(String oid, boolean critical, ASN1Object value) {
    return Extension.of(oid, critical, Encodings.der(value));
  }
}
