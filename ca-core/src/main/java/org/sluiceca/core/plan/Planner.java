package org.sluiceca.core.plan;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.CaUnavailable.IssuerInactive;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NameSpaces;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.naming.ReservedNames;
import org.sluiceca.core.plan.IssuancePlan.Clamped;
import org.sluiceca.core.plan.IssuancePlan.Departures;
import org.sluiceca.core.plan.lint.Lints;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.SubjectPolicy;
import org.sluiceca.core.profile.ValidityPolicy;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Step 4, plan: applies the profile and fixes every byte of the certificate; the lints judge those
 * very bytes. Thread-safe.
 */
public final class Planner {

  private final IssuerCatalog issuers;
  private final SerialNumbers serialNumbers;
  private final InstantSource clock;
  private final Supplier<ReservedNames> reserved;
  private final ClockSkew skew;

  /** A planner that reserves no names: for a key ceremony, whose names an operator chooses. */
  public Planner(IssuerCatalog issuers, SerialNumbers serialNumbers, InstantSource clock) {
    this(issuers, serialNumbers, clock, () -> ReservedNames.NONE);
  }

  /**
   * A planner that refuses reserved names.
   *
   * @param reserved what is reserved now; must not block
   */
  public Planner(
      IssuerCatalog issuers,
      SerialNumbers serialNumbers,
      InstantSource clock,
      Supplier<ReservedNames> reserved) {
    this(issuers, serialNumbers, clock, reserved, ClockSkew.STANDARD);
  }

  /**
   * A planner that refuses reserved names.
   *
   * @param reserved what is reserved now; must not block
   * @param skew how far notBefore lies back where a profile does not say
   */
  public Planner(
      IssuerCatalog issuers,
      SerialNumbers serialNumbers,
      InstantSource clock,
      Supplier<ReservedNames> reserved,
      ClockSkew skew) {
    this.issuers = issuers;
    this.serialNumbers = serialNumbers;
    this.clock = clock;
    this.reserved = reserved;
    this.skew = skew;
  }

  /**
   * Plans the certificate for a verified request.
   *
   * @throws IssuerInactive if the profile's issuer is not here or retired, which is no fault of the
   *     request
   */
  public IssuancePlan plan(VerifiedCsr verified) throws RejectedException {
    CertificateProfile profile = verified.authorized().profile();
    CertificateProfile.Content content = profile.content();
    Issuer issuer =
        issuers
            .findIssuing(profile.issuer())
            .orElseThrow(
                () ->
                    new IssuerInactive(
                        String.format(
                            Locale.ROOT,
                            "issuer %s of profile %s is not active here",
                            profile.issuer(),
                            profile.name())));
    Instant now = clock.instant();
    RequestedExtensions requested =
        RequestedExtensions.read(verified.csr().extensions(), content.extensions());
    RequestFacts facts =
        new RequestFacts(
            verified.authorized().request().requester().id(),
            profile.name(),
            verified.csr().subject(),
            requested.subjectAltNames());
    SubjectPolicy.Certified certified = content.subject().certify(facts.subject(), facts);
    DistinguishedName subject = certified.subject();
    List<GeneralName> names = content.subjectAltName().certify(facts.names(), subject, facts);
    if (subject.isEmpty() && names.isEmpty()) {
      throw new RejectedException(
          Reason.NAME_NOT_ALLOWED, "the request has neither a subject nor a subjectAltName");
    }
    NameDer encodedSubject = NameCodec.write(subject);
    checkReserved(facts.requester(), encodedSubject, names);
    checkConstraints(issuer.constraints(), names, subject);
    if (verified.authorized().request().occasion() instanceof Occasion.Renewal(var replaced)) {
      SameNames.require(replaced, subject, names);
    }
    ValidityPolicy.Period period = content.validity().periodAt(now, issuer.validity(), skew);
    SerialNumber serialNumber = serialNumbers.next(period.validity().notAfter());
    SubjectPublicKeyInfo key = verified.csr().subjectPublicKeyInfo();
    TbsCertificateDer tbs =
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(serialNumber.octets()),
                issuer.signatureAlgorithm(),
                issuer.subject(),
                period.validity(),
                encodedSubject,
                key,
                CertificateExtensions.of(
                    content.extensions(),
                    issuer,
                    key,
                    names,
                    subject.isEmpty(),
                    facts,
                    serialNumber)));
    Lints.check(tbs, issuer.side(), profile, now);
    return new IssuancePlan(
        verified.authorized(),
        serialNumber,
        issuer.signatureAlgorithm(),
        tbs,
        new Departures(
            overridden(requested, certified, verified.csr().restated()),
            period.clampedFrom().map(wanted -> new Clamped(wanted, period.validity().notAfter()))));
  }

  private void checkReserved(RequesterId requester, NameDer subject, List<GeneralName> names)
      throws RejectedException {
    try {
      Optional<String> refusal = reserved.get().refusal(requester, subject, names);
      if (refusal.isPresent()) {
        throw new RejectedException(Reason.NAME_NOT_ALLOWED, refusal.get());
      }
    } catch (DerException e) {
      throw RejectedException.of(e);
    }
  }

  /** RFC 5280 4.2.1.10: what the chain does not allow, no relying party would accept. */
  private static void checkConstraints(
      IssuerConstraints constraints, List<GeneralName> names, DistinguishedName subject)
      throws RejectedException {
    for (NameConstraints space : constraints.names()) {
      Optional<String> outside = NameSpaces.outside(space, names, subject);
      if (outside.isPresent()) {
        throw new RejectedException(
            Reason.NAME_NOT_ALLOWED, "name constraints of the issuer: " + outside.get());
      }
    }
  }

  private static List<String> overridden(
      RequestedExtensions requested,
      SubjectPolicy.Certified certified,
      List<NameAttribute> restated) {
    Set<String> overridden = new LinkedHashSet<>(requested.overridden());
    certified.replaced().forEach(attribute -> overridden.add(attribute.oid()));
    restated.forEach(attribute -> overridden.add(attribute.oid()));
    return List.copyOf(overridden);
  }
}
