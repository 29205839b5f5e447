package org.sluiceca.core.der;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.OctetString;

/** Reads the extensions that requests may carry and lints look into. Thread-safe. */
public final class ExtensionReader {

  private static final int BOOLEAN = 0x01;

  private ExtensionReader() {}

  static Extension of(org.bouncycastle.asn1.x509.Extension extension) {
    return Extension.of(
        extension.getExtnId().getId(),
        extension.isCritical(),
        extension.getExtnValue().getOctets());
  }

  /** Reads keyUsage (RFC 5280 4.2.1.3). */
  public static Set<KeyUsage> keyUsage(Extension extension) throws DerException {
    return StrictDer.read(
        "keyUsage",
        extension.value(),
        p -> {
          var bits = org.bouncycastle.asn1.x509.KeyUsage.getInstance(p);
          Set<KeyUsage> usages = EnumSet.noneOf(KeyUsage.class);
          for (KeyUsage usage : KeyUsage.values()) {
            if (bits.hasUsages(Extensions.mask(usage))) {
              usages.add(usage);
            }
          }
          return usages;
        });
  }

  /** Reads extendedKeyUsage (RFC 5280 4.2.1.12) as dotted OIDs, known ones and others. */
  public static Set<String> extendedKeyUsage(Extension extension) throws DerException {
    return StrictDer.read(
        "extendedKeyUsage",
        extension.value(),
        p -> {
          Set<String> oids = new LinkedHashSet<>();
          for (KeyPurposeId purpose :
              org.bouncycastle.asn1.x509.ExtendedKeyUsage.getInstance(p).getUsages()) {
            oids.add(purpose.getId());
          }
          return oids;
        });
  }

  /** Reads the URIs of all cRLDistributionPoints (RFC 5280 4.2.1.13), in their order. */
  public static List<String> crlDistributionPoints(Extension extension) throws DerException {
    return StrictDer.read(
        "cRLDistributionPoints",
        extension.value(),
        p -> {
          List<String> uris = new ArrayList<>();
          for (DistributionPoint point : CRLDistPoint.getInstance(p).getDistributionPoints()) {
            DistributionPointName name = point.getDistributionPoint();
            if (name != null && name.getType() == DistributionPointName.FULL_NAME) {
              for (GeneralName full :
                  org.bouncycastle.asn1.x509.GeneralNames.getInstance(name.getName()).getNames()) {
                if (full.getTagNo() == GeneralName.uniformResourceIdentifier) {
                  uris.add(ASN1IA5String.getInstance(full.getName()).getString());
                }
              }
            }
          }
          return uris;
        });
  }

  /**
   * Reads the URIs of authorityInfoAccess (RFC 5280 4.2.2.1), in their order.
   *
   * @return access methods as dotted OIDs, each with its URI
   */
  public static List<Map.Entry<String, String>> authorityInfoAccess(Extension extension)
      throws DerException {
    return StrictDer.read(
        "authorityInfoAccess",
        extension.value(),
        p -> {
          List<Map.Entry<String, String>> uris = new ArrayList<>();
          for (AccessDescription access :
              AuthorityInformationAccess.getInstance(p).getAccessDescriptions()) {
            GeneralName location = access.getAccessLocation();
            if (location.getTagNo() == GeneralName.uniformResourceIdentifier) {
              uris.add(
                  Map.entry(
                      access.getAccessMethod().getId(),
                      ASN1IA5String.getInstance(location.getName()).getString()));
            }
          }
          return uris;
        });
  }

  /** Reads the keyIdentifier of an authorityKeyIdentifier (RFC 5280 4.2.1.1), if it has one. */
  public static Optional<OctetString> authorityKeyIdentifier(Extension extension)
      throws DerException {
    return StrictDer.read(
        "authorityKeyIdentifier",
        extension.value(),
        p ->
            Optional.ofNullable(
                    org.bouncycastle.asn1.x509.AuthorityKeyIdentifier.getInstance(p)
                        .getKeyIdentifierOctets())
                .map(OctetString::copyOf));
  }

  /** Reads whether basicConstraints (RFC 5280 4.2.1.9) says cA. */
  public static boolean isCa(Extension extension) throws DerException {
    return StrictDer.read(
        "basicConstraints",
        extension.value(),
        p -> org.bouncycastle.asn1.x509.BasicConstraints.getInstance(p).isCA());
  }

  /** Reads the pathLenConstraint of basicConstraints, if there is one. */
  public static OptionalInt pathLen(Extension extension) throws DerException {
    return StrictDer.read(
        "basicConstraints",
        extension.value(),
        p -> {
          BigInteger pathLen =
              org.bouncycastle.asn1.x509.BasicConstraints.getInstance(p).getPathLenConstraint();
          if (pathLen == null) {
            return OptionalInt.empty();
          }
          if (pathLen.signum() < 0) {
            throw new DerException("basicConstraints with a negative pathLenConstraint");
          }
          return OptionalInt.of(pathLen.min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue());
        });
  }

  /** Reads nameConstraints (RFC 5280 4.2.1.10); forms that this CA never issues are left out. */
  public static NameConstraints nameConstraints(Extension extension) throws DerException {
    return StrictDer.read("nameConstraints", extension.value(), NameConstraintCodec::read);
  }

  /** Reads a subjectKeyIdentifier (RFC 5280 4.2.1.2). */
  public static OctetString subjectKeyIdentifier(Extension extension) throws DerException {
    return StrictDer.read(
        "subjectKeyIdentifier",
        extension.value(),
        p ->
            OctetString.copyOf(
                org.bouncycastle.asn1.x509.SubjectKeyIdentifier.getInstance(p).getKeyIdentifier()));
  }

  /**
   * Reads keyUsage of a request, which need not be DER: bits of 0 behind the last named one are
   * taken (X.690 11.2.2 forbids them in the certificate, which the profile writes).
   */
  public static Set<KeyUsage> requestedKeyUsage(Extension extension) throws DerException {
    byte[] bits =
        DerScan.whole("keyUsage", extension.value())
            .demand("keyUsage", DerWriter.BIT_STRING)
            .content();
    if (bits.length == 0 || bits[0] < 0 || bits[0] > 7) {
      throw new DerException("keyUsage is malformed: no bits, or more than 7 unused ones");
    }
    Set<KeyUsage> usages = EnumSet.noneOf(KeyUsage.class);
    for (KeyUsage usage : KeyUsage.values()) {
      int octet = 1 + usage.bit() / 8;
      if (octet < bits.length && (bits[octet] & (0x80 >>> (usage.bit() % 8))) != 0) {
        usages.add(usage);
      }
    }
    return usages;
  }

  /** Reads extKeyUsage of a request as dotted OIDs. */
  public static Set<String> requestedPurposes(Extension extension) throws DerException {
    Set<String> oids = new LinkedHashSet<>();
    for (DerScan.Element purpose :
        DerScan.whole("extKeyUsage", extension.value())
            .elements("extKeyUsage", DerWriter.SEQUENCE)) {
      oids.add(CsrReader.oid("extKeyUsage", purpose));
    }
    return oids;
  }

  /**
   * Reads whether basicConstraints of a request asks for a CA certificate; FALSE may be written
   * out, and any octet but 0 is TRUE.
   */
  public static boolean isCaRequested(Extension extension) throws DerException {
    List<DerScan.Element> fields =
        DerScan.whole("basicConstraints", extension.value())
            .elements("basicConstraints", DerWriter.SEQUENCE);
    boolean isWritten = !fields.isEmpty() && fields.getFirst().tag() == BOOLEAN;
    List<DerScan.Element> rest = fields.subList(isWritten ? 1 : 0, fields.size());
    if (rest.size() > 1 || rest.stream().anyMatch(e -> e.tag() != DerWriter.INTEGER)) {
      throw new DerException("basicConstraints is malformed: more than cA and pathLenConstraint");
    }
    if (!isWritten) {
      return false;
    }
    byte[] cA = fields.getFirst().content();
    if (cA.length != 1) {
      throw new DerException(
          String.format(Locale.ROOT, "basicConstraints is malformed: cA of %d octets", cA.length));
    }
    return cA[0] != 0;
  }
}
