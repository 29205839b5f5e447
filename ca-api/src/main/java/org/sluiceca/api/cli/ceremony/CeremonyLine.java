package org.sluiceca.api.cli.ceremony;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.signer.HsmSigner;

/** The issuance line of a ceremony: the same eight steps, one certificate at a time. */
final class CeremonyLine {

  /** A person waits; the token is slow at worst. */
  private static final Duration CLAIM_LIFETIME = Duration.ofSeconds(60);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  /** Wider than any profile's validity, so that the profile alone decides the root's. */
  private static final Duration SELF_PAST = Duration.ofDays(2);

  private static final Duration SELF_FUTURE = Duration.ofDays(51 * 366L);

  private static final Requester CEREMONY =
      new Requester(RequesterId.CEREMONY, Authentication.CEREMONY, Set.of(), Set.of());

  private final LedgerDatabase database;
  private final HsmSigner hsm;
  private final KeyRef key;
  private final EventSink events;

  /** Signs with {@code key}, records in {@code database}, reports to {@code events}. */
  CeremonyLine(LedgerDatabase database, HsmSigner hsm, KeyRef key, EventSink events) {
    this.database = database;
    this.hsm = hsm;
    this.key = key;
    this.events = events;
  }

  /** The issuer that a root is before it has a certificate. */
  static Issuer selfIssuer(IssuerName name, DistinguishedName subject, KeyRef key)
      throws DerException {
    SubjectPublicKeyInfo publicKey = PublicKeyReader.read(key.publicKey().der());
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    return new Issuer(
        name,
        NameCodec.write(subject),
        publicKey,
        KeyIdentifiers.of(publicKey),
        new Validity(now.minus(SELF_PAST), now.plus(SELF_FUTURE)),
        List.of(),
        Optional.empty(),
        IssuerConstraints.NONE);
  }

  /** Issues one certificate under {@code issuer}. */
  CertificateDer issue(Issuer issuer, CertificateProfile profile, CsrDer csr)
      throws InterruptedException {
    SecureRandom random = new SecureRandom();
    IssuerCatalog issuers = new IssuerCatalog(List.of(issuer));
    try (PostgresLedgerStore store =
        new PostgresLedgerStore(database, CLAIM_LIFETIME, (rows, nanos) -> {}, System::nanoTime)) {
      NodeId owner = new NodeId("ceremony." + Long.toHexString(random.nextLong()));
      Enrollment enrollment =
          new Enrollment(
              new AcceptSteps(
                  new Admission(1, () -> true, System::nanoTime, random),
                  new ProfileAuthorizer(new ProfileCatalog(List.of(profile))),
                  new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
                  new Planner(issuers, new SerialNumbers(random), InstantSource.system())),
              new FinishSteps(
                  new HsmIssuerSigner(hsm, Map.of(KeyName.of(issuer.name()), key)),
                  new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier())),
              new Ledger(store, new ClaimTerms(owner, CLAIM_LIFETIME), System::nanoTime),
              events);
      EnrollmentRequest request =
          new EnrollmentRequest(CEREMONY, profile.name(), csr, Optional.empty());
      Deadline answerBy = Deadline.after(ANSWER_MAX, System::nanoTime);
      return switch (enrollment.accept(request, answerBy)) {
        case Acceptance.Accepted accepted -> finished(enrollment.finish(accepted.pending()));
        case Acceptance.Rejected rejected ->
            throw new IllegalStateException("refused: " + rejected.rejection().detail());
        case Acceptance.Shed shed ->
            throw new IllegalStateException("refused: " + shed.decision().cause());
        case Acceptance.Ordered _, Acceptance.Replayed _, Acceptance.InProgress _ ->
            throw new IllegalStateException("not recorded: it was recorded before");
      };
    }
  }

  private static CertificateDer finished(Finish finish) {
    return switch (finish) {
      case Finish.Issued(CertificateDer certificate) -> certificate;
      case Finish.Abandoned abandoned ->
          throw new IllegalStateException("given up: " + abandoned.outcome().reason());
    };
  }
}
