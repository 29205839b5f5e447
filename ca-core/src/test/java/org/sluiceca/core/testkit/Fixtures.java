package org.sluiceca.core.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Content;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.ExtensionPolicy.Revocation;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.profile.ProfileVersion;
import org.sluiceca.core.profile.SanPolicy;
import org.sluiceca.core.profile.SanPolicy.Form;
import org.sluiceca.core.profile.SubjectPolicy;
import org.sluiceca.core.profile.ValidityPolicy;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.Validity;

/** The profiles, issuers and requesters that the tests of the line share. */
public final class Fixtures {

  /** When the tests happen. */
  public static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  public static final IssuerName ISSUING = new IssuerName("issuing");
  public static final IssuerName ROOT = new IssuerName("root");

  private static final Set<PublicKeyAlgorithm> EVERY_KEY = EnumSet.allOf(PublicKeyAlgorithm.class);

  private Fixtures() {}

  /** Host names and addresses, CN as DNS name, 90 days, CRL. */
  public static CertificateProfile tlsServer() {
    return enrollment(
        "tls-server",
        new Content(
            new ValidityPolicy(Duration.ofDays(90), Duration.ofHours(1), false),
            new SubjectPolicy(
                Set.of(),
                Set.of(
                    NameAttribute.COMMON_NAME,
                    NameAttribute.COUNTRY,
                    NameAttribute.STATE_OR_PROVINCE,
                    NameAttribute.LOCALITY,
                    NameAttribute.ORGANIZATION,
                    NameAttribute.ORGANIZATIONAL_UNIT,
                    NameAttribute.SERIAL_NUMBER)),
            new KeyPolicy(EVERY_KEY, 2048),
            new SanPolicy(Set.of(Form.DNS, Form.IP), true, 100, true, true),
            extensions(ExtendedKeyUsage.SERVER_AUTH, Revocation.CRL)));
  }

  /** A person's or device's name, an hour, noRevAvail, clamped to the issuer's end. */
  public static CertificateProfile shortLivedClient() {
    return enrollment(
        "short-lived-client",
        new Content(
            new ValidityPolicy(Duration.ofHours(1), Duration.ofMinutes(5), true),
            new SubjectPolicy(Set.of(NameAttribute.COMMON_NAME), Set.of()),
            new KeyPolicy(EVERY_KEY, 3072),
            new SanPolicy(Set.of(Form.EMAIL, Form.URI), false, 5, false, false),
            extensions(ExtendedKeyUsage.CLIENT_AUTH, Revocation.NEVER_AVAILABLE)));
  }

  /** An issuing CA below the root. */
  public static CertificateProfile issuingCa() {
    return ceremony("issuing-ca", Revocation.CRL, OptionalInt.of(0), Duration.ofDays(5 * 365L));
  }

  /** The root itself. */
  public static CertificateProfile rootCa() {
    return ceremony("root-ca", Revocation.UNSTATED, OptionalInt.empty(), Duration.ofDays(7305));
  }

  /** Every profile above. */
  public static List<CertificateProfile> profiles() {
    return List.of(tlsServer(), shortLivedClient(), issuingCa(), rootCa());
  }

  /** The same profile with other policies. */
  public static CertificateProfile withContent(CertificateProfile profile, Content content) {
    return new CertificateProfile(
        profile.name(), profile.description(), profile.use(), profile.issuer(), content);
  }

  /** A stated version of the same profile, of another duration. */
  public static CertificateProfile version(
      CertificateProfile profile, int number, Duration duration) {
    Content content = profile.content();
    return new CertificateProfile(
        profile.name(),
        profile.description(),
        profile.use(),
        profile.issuer(),
        new Content(
            new ValidityPolicy(duration, Duration.ofHours(1), false),
            content.subject(),
            content.key(),
            content.subjectAltName(),
            content.extensions()),
        new ProfileVersion(number, true, OctetString.copyOf(new byte[32])));
  }

  /** The issuer of end entities, with {@code key}, valid for two years around {@link #NOW}. */
  public static Issuer issuing(SoftwareKey key) {
    return issuer(
        ISSUING,
        "Sluice Test Issuing CA",
        key,
        new Validity(NOW.minus(Duration.ofDays(365)), NOW.plus(Duration.ofDays(365))));
  }

  /** The root, with {@code key}, valid for twenty years from a year before {@link #NOW}. */
  public static Issuer root(SoftwareKey key) {
    return issuer(
        ROOT,
        "Sluice Test Root CA",
        key,
        new Validity(NOW.minus(Duration.ofDays(365)), NOW.plus(Duration.ofDays(7305))));
  }

  /** The same issuer with another validity. */
  public static Issuer withValidity(Issuer issuer, Validity validity) {
    return new Issuer(
        issuer.name(),
        issuer.subject(),
        issuer.subjectPublicKeyInfo(),
        issuer.keyIdentifier(),
        validity,
        issuer.chain(),
        issuer.publications(),
        issuer.constraints());
  }

  /** The same issuer below certificates that allow less. */
  public static Issuer withConstraints(Issuer issuer, IssuerConstraints constraints) {
    return new Issuer(
        issuer.name(),
        issuer.subject(),
        issuer.subjectPublicKeyInfo(),
        issuer.keyIdentifier(),
        issuer.validity(),
        issuer.chain(),
        issuer.publications(),
        constraints);
  }

  /** A requester who may use every enrollment profile. */
  public static Requester requester() {
    return new Requester(
        new RequesterId("alice"),
        Requester.Authentication.BEARER_TOKEN,
        Set.of(Role.REQUESTER),
        Set.of(tlsServer().name(), shortLivedClient().name()));
  }

  /** The ceremony on the machine itself. */
  public static Requester ceremony() {
    return new Requester(
        new RequesterId("ceremony"), Requester.Authentication.CEREMONY, Set.of(), Set.of());
  }

  /** The extensions of an end entity that signs. */
  public static ExtensionPolicy extensions(ExtendedKeyUsage purpose, Revocation revocation) {
    return new ExtensionPolicy(
        Set.of(KeyUsage.DIGITAL_SIGNATURE),
        Set.of(purpose),
        false,
        OptionalInt.empty(),
        revocation);
  }

  private static Issuer issuer(
      IssuerName name, String commonName, SoftwareKey key, Validity validity) {
    return new Issuer(
        name,
        NameCodec.write(
            new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, commonName)))),
        key.publicKey(),
        KeyIdentifiers.of(key.publicKey()),
        validity,
        List.of(),
        Optional.of(
            new Issuer.Publications(
                "http://ca.example.test/issuers/" + name + ".cer",
                "http://ca.example.test/issuers/" + name + ".crl")),
        IssuerConstraints.NONE);
  }

  private static CertificateProfile enrollment(String name, Content content) {
    return new CertificateProfile(
        new ProfileName(name), "of the tests", Use.ENROLLMENT, ISSUING, content);
  }

  private static CertificateProfile ceremony(
      String name, Revocation revocation, OptionalInt pathLen, Duration duration) {
    return new CertificateProfile(
        new ProfileName(name),
        "of the tests",
        Use.CEREMONY,
        ROOT,
        new Content(
            new ValidityPolicy(duration, Duration.ofHours(1), false),
            new SubjectPolicy(
                Set.of(NameAttribute.COMMON_NAME), Set.of(NameAttribute.ORGANIZATION)),
            new KeyPolicy(EVERY_KEY, 2048),
            new SanPolicy(Set.of(), false, 0, false, false),
            new ExtensionPolicy(
                Set.of(KeyUsage.KEY_CERT_SIGN, KeyUsage.CRL_SIGN),
                Set.of(),
                true,
                pathLen,
                revocation)));
  }
}
