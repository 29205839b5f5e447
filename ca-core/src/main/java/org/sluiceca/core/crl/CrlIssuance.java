package org.sluiceca.core.crl;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlSnapshot.Scheduled;
import org.sluiceca.core.crl.CrlStore.SignedCrl;
import org.sluiceca.core.crl.PlannedCrl.Terms;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.TbsCertListDer;

/**
 * The line of a CRL, complete or delta, in five steps: plan, record, sign, check, record. Numbers
 * only rise, over all nodes: a number is recorded before anything is signed under it, by one node
 * only, and a CRL of a higher number was read later, so it never knows less. Thread-safe.
 */
public final class CrlIssuance {

  /** CRLs go first at the token; one that waits longer than this waits for a lost one. */
  public static final Duration SIGN_MAX = Duration.ofSeconds(5);

  private static final RequesterId REQUESTER = new RequesterId("sluice.crl");

  private final CrlStore store;
  private final IssuerSigner signer;
  private final PostSignCheck postSignCheck;
  private final EventSink events;
  private final Ticker ticker;
  private final ClockSkew skew;

  /** Issues with the standard allowance for late clocks. */
  public CrlIssuance(
      CrlStore store,
      IssuerSigner signer,
      PostSignCheck postSignCheck,
      EventSink events,
      Ticker ticker) {
    this(store, signer, postSignCheck, events, ticker, ClockSkew.STANDARD);
  }

  /**
   * Issues CRLs of {@code store}.
   *
   * @param skew how far thisUpdate lies before the time of issue: a CRL that is refused by late
   *     clocks would end their connections with each revocation
   */
  public CrlIssuance(
      CrlStore store,
      IssuerSigner signer,
      PostSignCheck postSignCheck,
      EventSink events,
      Ticker ticker,
      ClockSkew skew) {
    this.skew = skew;
    this.store = store;
    this.signer = signer;
    this.postSignCheck = postSignCheck;
    this.events = events;
    this.ticker = ticker;
  }

  /**
   * Issues the CRL of a scope. Blocks for {@link #SIGN_MAX} and what the store takes.
   *
   * @param due why; it must be due
   * @param node who signs it, for the record
   * @return empty if another node got the number
   * @throws org.sluiceca.core.failure.CaUnavailable if there is no signature; trying again makes
   *     another CRL, and the number stays unused
   */
  public Optional<SignedCrl> issue(
      Issuer issuer, CrlScope scope, Due due, CrlTerms terms, String node) {
    // 1 plan: every byte, from one moment of the store.
    return finish(plan(issuer, scope, due, terms), node);
  }

  /**
   * Does as {@link #issue} for new events, unless the scope has a number above {@code seen}: then
   * another node was faster, perhaps with the same events, and the caller looks again. Not for
   * events that cannot wait for another look.
   *
   * @param seen the highest number of the scope that the caller knows
   * @return empty if there is a higher number
   * @throws org.sluiceca.core.failure.CaUnavailable as {@link #issue}
   */
  public Optional<SignedCrl> issueUnlessNewer(
      Issuer issuer, CrlScope scope, long seen, CrlTerms terms, String node) {
    PlannedCrl planned = plan(issuer, scope, Due.UNSCHEDULED, terms);
    return planned.after() > seen ? Optional.empty() : finish(planned, node);
  }

  /**
   * Issues a delta CRL of a scope (RFC 5280 5.2.4), to its last signed complete CRL that came in
   * its turn. Its number is of the same line as those of complete CRLs. Blocks as {@link #issue}.
   *
   * @param node who signs it, for the record
   * @throws org.sluiceca.core.failure.CaUnavailable as {@link #issue}
   */
  public DeltaOutcome issueDelta(Issuer issuer, CrlScope scope, DeltaTerms terms, String node) {
    Optional<PlannedCrl> planned = planDelta(issuer, scope, terms);
    if (planned.isEmpty()) {
      return new DeltaOutcome.NoBase();
    }
    Optional<SignedCrl> signed = finish(planned.get(), node);
    return signed.isPresent()
        ? new DeltaOutcome.Issued(signed.get())
        : new DeltaOutcome.NumberTaken();
  }

  private Optional<SignedCrl> finish(PlannedCrl planned, String node) {
    CrlScope scope = planned.scope();
    // 2 record: the number is this CRL's, or another's.
    if (!store.record(planned, node)) {
      return Optional.empty();
    }
    RecordedCrl recorded = new RecordedCrl(planned);

    // 3 sign: before everything else.
    Deadline signBy = Deadline.after(SIGN_MAX, ticker);
    OctetString signature =
        signer.sign(recorded, new SignSchedule(Lane.STATUS, REQUESTER, signBy, signBy));

    // 4 check: under the issuer's key, over the recorded bytes.
    CheckedSignature checked = check(recorded, signature);

    // 5 record: durable; only now may the CRL be published.
    store.recordSignature(planned, checked.signature());
    events.accept(
        new CaEvent.CrlIssued(
            scope.issuer(),
            scope.shard(),
            planned.number(),
            planned.base(),
            planned.terms().entries()));
    return Optional.of(new SignedCrl(planned, checked.signature()));
  }

  private PlannedCrl plan(Issuer issuer, CrlScope scope, Due due, CrlTerms terms) {
    RevokedCertificates entries = new RevokedCertificates();
    CrlSnapshot snapshot = store.read(scope, entries);
    Optional<String> distributionPoint = distributionPoint(issuer, scope, snapshot);
    Optional<String> freshest =
        terms.deltas().map(deltas -> publications(issuer).deltaUri(scope.shard()));
    return planned(
        new Reading(issuer, scope, snapshot, entries),
        terms.lifetime(),
        due == Due.SCHEDULED || isTurn(snapshot, terms),
        new PlannedCrl.Kind.Complete(
            snapshot.lastScheduled().map(Scheduled::issuedAt).orElse(Instant.EPOCH),
            snapshot.lastScheduled().map(Scheduled::revision).orElse(0L),
            distributionPoint),
        distributionPoint,
        new TbsCertListWriter.Kind.Complete(freshest));
  }

  private Optional<PlannedCrl> planDelta(Issuer issuer, CrlScope scope, DeltaTerms terms) {
    RevokedCertificates changes = new RevokedCertificates();
    CrlSnapshot snapshot = store.readChanges(scope, changes);
    Optional<Scheduled> base = snapshot.lastScheduled();
    Optional<String> distributionPoint = distributionPoint(issuer, scope, snapshot);
    if (base.isEmpty()
        || !base.get().nextUpdate().isAfter(snapshot.now())
        // RFC 5280 5.2.4: identical in both, or neither has one. The next complete CRL will fit.
        || !base.get()
            .made()
            .map(m -> m.distributionPoint().equals(distributionPoint))
            .orElse(false)) {
      return Optional.empty();
    }
    long baseNumber = base.get().number();
    return Optional.of(
        planned(
            new Reading(issuer, scope, snapshot, changes),
            terms.lifetime(),
            false,
            new PlannedCrl.Kind.Delta(baseNumber),
            distributionPoint,
            new TbsCertListWriter.Kind.Delta(baseNumber)));
  }

  /** What was read of a scope, and for whom. */
  private record Reading(
      Issuer issuer, CrlScope scope, CrlSnapshot snapshot, RevokedCertificates entries) {}

  private PlannedCrl planned(
      Reading reading,
      Duration lifetime,
      boolean isScheduled,
      PlannedCrl.Kind kind,
      Optional<String> distributionPoint,
      TbsCertListWriter.Kind written) {
    Issuer issuer = reading.issuer();
    CrlSnapshot snapshot = reading.snapshot();
    // Time in the number: a database restored from a backup goes on above what was signed since.
    long number = Math.max(snapshot.lastNumber() + 1, snapshot.now().toEpochMilli());
    Instant issuedAt = snapshot.now().truncatedTo(ChronoUnit.SECONDS);
    Instant thisUpdate = skew.since(issuedAt, issuer.validity().notBefore());
    Instant nextUpdate = issuedAt.plus(lifetime);
    Instant issuerEnd = issuer.validity().notAfter();
    // RFC 5280 6.3.3: no client can verify it after its issuer's notAfter; but it must be valid for
    // some time.
    if (nextUpdate.isAfter(issuerEnd) && issuerEnd.isAfter(issuedAt)) {
      nextUpdate = issuerEnd;
    }
    TbsCertListDer tbs =
        TbsCertListWriter.write(
            new TbsCertListWriter.Fields(
                issuer.signatureAlgorithm(),
                issuer.subject(),
                thisUpdate,
                nextUpdate,
                issuer.keyIdentifier(),
                number,
                distributionPoint,
                written),
            reading.entries());
    return new PlannedCrl(
        reading.scope(),
        number,
        snapshot.lastNumber(),
        issuer.signatureAlgorithm(),
        tbs,
        new Terms(
            snapshot.revision(), isScheduled, issuedAt, nextUpdate, reading.entries().count()),
        kind);
  }

  /**
   * Where there are revocations all the time, no CRL is ever due for its age alone: one in each
   * period counts as scheduled all the same, or no entry would ever leave.
   */
  private static boolean isTurn(CrlSnapshot snapshot, CrlTerms terms) {
    Optional<Scheduled> last = snapshot.lastScheduled();
    return last.isEmpty() || !last.get().issuedAt().plus(terms.period()).isAfter(snapshot.now());
  }

  private static Optional<String> distributionPoint(
      Issuer issuer, CrlScope scope, CrlSnapshot snapshot) {
    return snapshot.isOnly()
        ? Optional.empty()
        : Optional.of(publications(issuer).crlUri(scope.shard()));
  }

  private static Issuer.Publications publications(Issuer issuer) {
    return issuer
        .publications()
        .orElseThrow(
            () -> new IllegalStateException("issuer " + issuer.name() + " publishes nothing"));
  }

  private CheckedSignature check(RecordedCrl recorded, OctetString signature) {
    try {
      return postSignCheck.check(recorded, signature);
    } catch (SignatureRefused e) {
      CrlScope scope = recorded.planned().scope();
      events.accept(
          new CaEvent.CrlSignatureRefused(
              scope.issuer(), scope.shard(), recorded.planned().number()));
      throw e;
    }
  }
}
