package org.sluiceca.core.testkit;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.sluiceca.core.der.Extensions.TextType;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.AttributeRule;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Content;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.ExtensionPolicy.Additions;
import org.sluiceca.core.profile.ExtensionPolicy.Revocation;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.profile.NameRules;
import org.sluiceca.core.profile.SanPolicy;
import org.sluiceca.core.profile.SanPolicy.Form;
import org.sluiceca.core.profile.SubjectPolicy;
import org.sluiceca.core.profile.ValidityPolicy;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IpRange;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/** Profiles that use every section that a profile can have. */
public final class FullProfiles {

  /** The OIDs of the two extensions that {@link #everything} adds. */
  public static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24";

  public static final String OWN_TEXT = "1.3.6.1.4.1.55555.1";

  private static final KeyPolicy ANY_KEY =
      new KeyPolicy(EnumSet.allOf(PublicKeyAlgorithm.class), 2048);

  private FullProfiles() {}

  /** An end entity with every rule for its names and every extension that is not a CA's. */
  public static CertificateProfile everything() {
    return profile(
        "everything",
        Use.ENROLLMENT,
        Fixtures.ISSUING,
        new Content(
            new ValidityPolicy(Duration.ofDays(90), Duration.ofHours(1), true),
            new SubjectPolicy(
                Set.of(NameAttribute.COMMON_NAME),
                Set.of(NameAttribute.LOCALITY),
                Map.of(
                    NameAttribute.COMMON_NAME,
                    AttributeRule.matching(NamePattern.of("[a-z]+-[0-9]{1,3}")),
                    NameAttribute.COUNTRY,
                    AttributeRule.fixed(NameTemplate.of("CH"), false),
                    NameAttribute.ORGANIZATION,
                    AttributeRule.fixed(NameTemplate.of("Example AG"), true),
                    NameAttribute.ORGANIZATIONAL_UNIT,
                    AttributeRule.fixed(NameTemplate.of("of ${requester.id}"), false),
                    NameAttribute.LOCALITY,
                    AttributeRule.byDefault(NameTemplate.of("Bern")))),
            ANY_KEY,
            new SanPolicy(
                EnumSet.allOf(Form.class),
                true,
                6,
                true,
                false,
                new NameRules(
                    new NameConstraints(
                        List.of(
                            new NameSubtree.Dns("example.test"),
                            new NameSubtree.Uri(".example.test"),
                            new NameSubtree.Email("example.test"),
                            new NameSubtree.Ip(IpRange.parse("192.0.2.0/24"))),
                        List.of(new NameSubtree.Dns("secret.example.test"))),
                    Map.of(Form.EMAIL, NamePattern.of("[a-z]+@.*")),
                    Map.of(Form.IP, 1),
                    Set.of("https", "spiffe"),
                    List.of(
                        new NameRules.Added(
                            Form.DNS, NameTemplate.of("${csr.commonName}.example.test")),
                        new NameRules.Added(
                            Form.URI, NameTemplate.of("spiffe://id.example.test/${requester.id}"))),
                    true)),
            new ExtensionPolicy(
                Set.of(KeyUsage.DIGITAL_SIGNATURE),
                Set.of(ExtendedKeyUsage.SERVER_AUTH),
                false,
                OptionalInt.empty(),
                Revocation.CRL,
                new Additions(
                    List.of(
                        new CertificatePolicy(
                            "1.3.6.1.4.1.55555.2.1",
                            Optional.of("https://ca.example.test/cps"),
                            Optional.of("Für Übungen")),
                        new CertificatePolicy(
                            "2.23.140.1.2.1", Optional.empty(), Optional.empty())),
                    NameConstraints.NONE,
                    false,
                    List.of(
                        AddedExtension.constant(TLS_FEATURE, false, RawDer.hex("3003020105")),
                        new AddedExtension(
                            OWN_TEXT,
                            false,
                            new AddedExtension.Value.Text(
                                TextType.UTF8, NameTemplate.of("for ${requester.id}"))))))));
  }

  /** A CA that may only issue below a few names. */
  public static CertificateProfile constrainedCa() {
    return profile(
        "constrained-ca",
        Use.CEREMONY,
        Fixtures.ROOT,
        new Content(
            new ValidityPolicy(Duration.ofDays(365), Duration.ofHours(1), false),
            new SubjectPolicy(Set.of(NameAttribute.COMMON_NAME), Set.of()),
            ANY_KEY,
            new SanPolicy(Set.of(), false, 0, false, false),
            new ExtensionPolicy(
                Set.of(KeyUsage.KEY_CERT_SIGN, KeyUsage.CRL_SIGN),
                Set.of(),
                true,
                OptionalInt.of(0),
                Revocation.CRL,
                new Additions(List.of(), constraints(), false, List.of()))));
  }

  /** What {@link #constrainedCa} is allowed. */
  public static NameConstraints constraints() {
    return new NameConstraints(
        List.of(
            new NameSubtree.Dns("example.test"),
            new NameSubtree.Ip(IpRange.parse("192.0.2.0/24")),
            new NameSubtree.Ip(IpRange.parse("2001:db8::/32")),
            new NameSubtree.Email(".example.test"),
            new NameSubtree.Uri("www.example.test"),
            new NameSubtree.Directory(
                new DistinguishedName(
                    List.of(
                        new Attribute(NameAttribute.COUNTRY, "CH"),
                        new Attribute(NameAttribute.ORGANIZATION, "Example AG"))))),
        List.of(
            new NameSubtree.Dns("secret.example.test"),
            new NameSubtree.Ip(IpRange.parse("192.0.2.128/25"))));
  }

  /** An OCSP responder. */
  public static CertificateProfile ocspResponder() {
    return profile(
        "ocsp-responder",
        Use.CEREMONY,
        Fixtures.ISSUING,
        new Content(
            new ValidityPolicy(Duration.ofDays(30), Duration.ofHours(1), false),
            new SubjectPolicy(Set.of(NameAttribute.COMMON_NAME), Set.of()),
            ANY_KEY,
            new SanPolicy(Set.of(), false, 0, false, false),
            new ExtensionPolicy(
                Set.of(KeyUsage.DIGITAL_SIGNATURE),
                Set.of(ExtendedKeyUsage.OCSP_SIGNING),
                false,
                OptionalInt.empty(),
                Revocation.UNSTATED,
                new Additions(List.of(), NameConstraints.NONE, true, List.of()))));
  }

  /** A time stamping unit, whose purpose is critical. */
  public static CertificateProfile timeStamping() {
    return profile(
        "time-stamping",
        Use.ENROLLMENT,
        Fixtures.ISSUING,
        new Content(
            new ValidityPolicy(
                new ValidityPolicy.Term.Until(java.time.Instant.parse("2027-06-30T23:59:59Z")),
                Duration.ofHours(1),
                false),
            new SubjectPolicy(Set.of(NameAttribute.COMMON_NAME), Set.of()),
            ANY_KEY,
            new SanPolicy(Set.of(), false, 0, false, false),
            new ExtensionPolicy(
                Set.of(KeyUsage.DIGITAL_SIGNATURE),
                Set.of(ExtendedKeyUsage.TIME_STAMPING),
                false,
                OptionalInt.empty(),
                Revocation.CRL)));
  }

  private static CertificateProfile profile(
      String name, Use use, IssuerName issuer, Content content) {
    return new CertificateProfile(new ProfileName(name), "of the tests", use, issuer, content);
  }
}
