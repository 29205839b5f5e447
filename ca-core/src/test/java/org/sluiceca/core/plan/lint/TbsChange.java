package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/** The planner's certificate with something changed. */
final class TbsChange {

  private final TbsCertificate tbs;
  private SignatureAlgorithm algorithm;
  private NameDer issuer;
  private Validity validity;
  private NameDer subject;
  private SubjectPublicKeyInfo key;
  private final List<Extension> extensions;

  TbsChange(TbsCertificate tbs) {
    this.tbs = tbs;
    this.algorithm = tbs.signatureAlgorithm();
    this.issuer = tbs.issuer();
    this.validity = tbs.validity();
    this.subject = tbs.subject();
    this.key = tbs.subjectPublicKeyInfo();
    this.extensions = new ArrayList<>(tbs.extensions());
  }

  TbsChange algorithm(SignatureAlgorithm other) {
    algorithm = other;
    return this;
  }

  TbsChange issuer(String commonName) {
    issuer = name(new Attribute(NameAttribute.COMMON_NAME, commonName));
    return this;
  }

  TbsChange validity(Instant notBefore, Instant notAfter) {
    validity = new Validity(notBefore, notAfter);
    return this;
  }

  TbsChange subject(Attribute... attributes) {
    subject = name(attributes);
    return this;
  }

  TbsChange key(SubjectPublicKeyInfo other) {
    key = other;
    return this;
  }

  TbsChange with(Extension extension) {
    extensions.add(extension);
    return this;
  }

  TbsChange without(String oid) {
    assertThat(extensions.removeIf(e -> e.oid().equals(oid))).isTrue();
    return this;
  }

  TbsChange replacing(Extension extension) {
    extensions.replaceAll(e -> e.oid().equals(extension.oid()) ? extension : e);
    assertThat(extensions).contains(extension).isNotEqualTo(tbs.extensions());
    return this;
  }

  TbsCertificate done() {
    return new TbsCertificate(
        withWeekOf(validity), algorithm, issuer, validity, subject, key, extensions);
  }

  /** The week in the serial number follows, so that only the lint in question can object. */
  private OctetString withWeekOf(Validity period) {
    byte[] octets = tbs.serialNumber().octets();
    int week = ExpiryWeek.of(period.notAfter()).number();
    octets[1] = (byte) (week >>> 8);
    octets[2] = (byte) week;
    return OctetString.copyOf(octets);
  }

  private static NameDer name(Attribute... attributes) {
    return NameCodec.write(new DistinguishedName(List.of(attributes)));
  }
}
