package org.sluiceca.core.plan.lint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * The parts of a TBSCertificate (RFC 5280 4.1.2) as octets, divided but not understood.
 *
 * @param extensions in encoding order, no OID twice
 */
record RawCertificate(
    DerElement serialNumber,
    DerElement notBefore,
    DerElement notAfter,
    DerElement subject,
    DerElement subjectPublicKeyInfo,
    List<RawExtension> extensions) {

  private static final int VERSION_TAG = 0xA0;
  private static final int EXTENSIONS_TAG = 0xA3;
  private static final int VERSION_3 = 2;

  /**
   * One extension.
   *
   * @param value the DER inside extnValue
   */
  record RawExtension(String oid, boolean isCritical, DerElement value) {}

  Optional<RawExtension> extension(String oid) {
    for (RawExtension extension : extensions) {
      if (extension.oid().equals(oid)) {
        return Optional.of(extension);
      }
    }
    return Optional.empty();
  }

  /** Divides the octets; every field that version 3 of this CA has, in its place, none else. */
  static RawCertificate of(TbsCertificateDer tbs) throws MalformedException {
    List<DerElement> fields =
        DerElement.of(tbs.encoded()).demand(DerElement.SEQUENCE, "TBSCertificate").children();
    if (fields.size() != 8) {
      throw new MalformedException("TBSCertificate of " + fields.size() + " fields");
    }
    DerElement version =
        fields.get(0).demand(VERSION_TAG, "version").only(DerElement.INTEGER, "version");
    if (version.length() != 1 || version.contents()[0] != VERSION_3) {
      throw new MalformedException("version is not 3");
    }
    List<DerElement> times = fields.get(4).demand(DerElement.SEQUENCE, "validity").children();
    if (times.size() != 2) {
      throw new MalformedException("validity of " + times.size() + " times");
    }
    return new RawCertificate(
        fields.get(1).demand(DerElement.INTEGER, "serialNumber"),
        times.get(0),
        times.get(1),
        fields.get(5).demand(DerElement.SEQUENCE, "subject"),
        fields.get(6).demand(DerElement.SEQUENCE, "subjectPublicKeyInfo"),
        extensions(fields.get(7).demand(EXTENSIONS_TAG, "extensions")));
  }

  private static List<RawExtension> extensions(DerElement tagged) throws MalformedException {
    List<RawExtension> extensions = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (DerElement element :
        tagged.only(DerElement.SEQUENCE, "extensions").oneOrMore("extensions")) {
      RawExtension extension = extension(element.demand(DerElement.SEQUENCE, "an extension"));
      // RFC 5280 4.2: MUST NOT include more than one instance of a particular extension.
      if (!seen.add(extension.oid())) {
        throw new MalformedException("extension " + extension.oid() + " twice");
      }
      extensions.add(extension);
    }
    return extensions;
  }

  private static RawExtension extension(DerElement element) throws MalformedException {
    List<DerElement> parts = element.children();
    if (parts.size() != 2 && parts.size() != 3) {
      throw new MalformedException("an extension of " + parts.size() + " parts");
    }
    String oid = parts.getFirst().oid();
    boolean isCritical = parts.size() == 3;
    if (isCritical) {
      DerElement flag = parts.get(1).demand(DerElement.BOOLEAN, "critical");
      // X.690 11.1, 11.5: TRUE is FF, and FALSE, the default, is not encoded.
      if (flag.length() != 1 || flag.contents()[0] != (byte) 0xFF) {
        throw new MalformedException("critical of extension " + oid + " is not DER's TRUE");
      }
    }
    DerElement value = parts.getLast().demand(DerElement.OCTET_STRING, "extnValue");
    return new RawExtension(oid, isCritical, value.inner());
  }
}
