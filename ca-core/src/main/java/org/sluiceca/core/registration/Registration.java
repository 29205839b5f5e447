package org.sluiceca.core.registration;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Takes requests from their names to their certificate. A CSR is durable before anything is asked
 * for under it, and what is asked for has a key of its request: so whatever node dies when, a
 * request gets one certificate or a reason, never two, and {@link #finish} ends what its client no
 * longer asks about. Thread-safe; blocks as its ports do.
 */
public final class Registration {

  /** A restarted database or token is back within seconds. */
  private static final Duration UNAVAILABLE_RETRY = Duration.ofSeconds(5);

  /**
   * How long after a request would have expired without a CSR it is asked for. The ledger keeps
   * keys of what was issued for 7 days, and an order lives for one: later, asking again might issue
   * again.
   */
  static final Duration ASKED_MAX = Duration.ofDays(5);

  private final RequestStore store;
  private final Issuing issuing;
  private final InstantSource clock;

  /** Keeps requests in {@code store}, and has them issued by {@code issuing}. */
  public Registration(RequestStore store, Issuing issuing, InstantSource clock) {
    this.store = store;
    this.issuing = issuing;
    this.clock = clock;
  }

  /** What came of a CSR. */
  public sealed interface Finalization {

    /** It is durable, or the same one was before. */
    record Taken(CertificateRequest request, Progress progress) implements Finalization {}

    /** It does not do, and nothing has changed: another one may be sent. */
    record Refused(Refusal refusal) implements Finalization {}

    /** It waits for no CSR (any more), or has another one. */
    record NotReady(Progress progress) implements Finalization {}
  }

  /**
   * Makes the CSR of a ready request durable and has its certificate issued. The same CSR again is
   * no fault: an answer may have been lost.
   *
   * @param wait how long the client waits for the certificate
   */
  public Finalization finalizeBy(CertificateRequest request, CsrDer csr, Duration wait) {
    Optional<Refusal> fault = CsrIdentifiers.fault(csr, request.identifiers());
    if (fault.isPresent()) {
      return new Finalization.Refused(fault.get());
    }
    Instant now = clock.instant();
    if (request.state() instanceof RequestState.Ready && !request.isExpired(now)) {
      if (store.finalizeBy(request.id(), csr, now)) {
        CertificateRequest taken = request.in(new RequestState.Finalized(csr));
        return new Finalization.Taken(taken, settle(taken, csr, wait));
      }
      // Another request was first.
      CertificateRequest then = store.find(request.id()).orElse(request);
      if (!(then.state() instanceof RequestState.Ready)) {
        return finalizeBy(then, csr, wait);
      }
      return new Finalization.NotReady(progress(then));
    }
    if (request.state() instanceof RequestState.WithCsr taken && taken.csr().equals(csr)) {
      return new Finalization.Taken(
          request,
          taken instanceof RequestState.Finalized ? settle(request, csr, wait) : progress(request));
    }
    return new Finalization.NotReady(progress(request));
  }

  /** Returns what has become of a request, and has it issued if that was not done yet. */
  public Progress progress(CertificateRequest request) {
    Optional<Refusal> unproven =
        request.state() instanceof RequestState.Awaiting ? request.refusal() : Optional.empty();
    if (unproven.isPresent()) {
      return new Progress.Refused(unproven.get());
    }
    if (request.isExpired(clock.instant())) {
      return new Progress.Expired();
    }
    return switch (request.state()) {
      case RequestState.Awaiting _ -> new Progress.Awaiting();
      case RequestState.Ready _ -> new Progress.Ready();
      case RequestState.Finalized(CsrDer csr) -> settle(request, csr, Duration.ZERO);
      case RequestState.Recorded(CsrDer _, SerialNumber serialNumber) ->
          progress(issuing.entry(serialNumber), issuing.pollAfter(serialNumber));
      case RequestState.Refused(CsrDer _, Refusal refusal) ->
          earlier(request).orElseGet(() -> new Progress.Refused(refusal));
    };
  }

  /**
   * A node may have recorded an intent while another one refused, and died before it noted that.
   */
  private Optional<Progress> earlier(CertificateRequest request) {
    return issuing
        .earlier(request.requester(), key(request))
        .map(serialNumber -> recorded(request, serialNumber));
  }

  /**
   * Has issued what was finalized, and last tried, before {@code before}, at most {@code max} of
   * it; returns of how many there is an intent or an end. What has to wait comes after the others
   * the next time, so an order whose profile or issuer is out of service holds up no other; the
   * first that is shed for load ends the round.
   */
  public int finish(Instant before, int max) {
    int finished = 0;
    for (CertificateRequest request : store.unrecorded(before, max)) {
      if (!(request.state() instanceof RequestState.Finalized(CsrDer csr))) {
        continue;
      }
      boolean isLoad;
      try {
        isLoad =
            settled(request, csr, Duration.ZERO) instanceof Progress.Processing
                && isUnrecorded(request);
      } catch (CaUnavailable e) {
        store.postpone(request.id(), clock.instant());
        continue;
      }
      if (isLoad) {
        store.postpone(request.id(), clock.instant());
        break;
      }
      finished++;
    }
    return finished;
  }

  private boolean isUnrecorded(CertificateRequest request) {
    return store
        .find(request.id())
        .filter(now -> now.state() instanceof RequestState.Finalized)
        .isPresent();
  }

  private Progress settle(CertificateRequest request, CsrDer csr, Duration wait) {
    try {
      return settled(request, csr, wait);
    } catch (CaUnavailable e) {
      return new Progress.Processing(UNAVAILABLE_RETRY);
    }
  }

  /** Asks for the certificate; what is asked for does not answer: {@link CaUnavailable}. */
  private Progress settled(CertificateRequest request, CsrDer csr, Duration wait) {
    if (clock.instant().isAfter(request.expiresAt().plus(ASKED_MAX))) {
      return earlier(request)
          .orElseGet(
              () ->
                  refused(
                      request,
                      new Refusal(
                          Refusal.Kind.GIVEN_UP,
                          "the CA could not issue for days: make a new order")));
    }
    return switch (issuing.issue(enrollment(request, csr), wait)) {
      case Issuing.Answer.Recorded(SerialNumber serialNumber) -> recorded(request, serialNumber);
      case Issuing.Answer.Refused(Refusal refusal) ->
          earlier(request).orElseGet(() -> refused(request, refusal));
      case Issuing.Answer.Later(Duration later) -> new Progress.Processing(later);
    };
  }

  private Progress recorded(CertificateRequest request, SerialNumber serialNumber) {
    store.recorded(request.id(), serialNumber);
    return progress(issuing.entry(serialNumber), issuing.pollAfter(serialNumber));
  }

  private Progress refused(CertificateRequest request, Refusal refusal) {
    store.refuse(request.id(), refusal);
    return new Progress.Refused(refusal);
  }

  private static Progress progress(LedgerEntry entry, Duration pollAfter) {
    return switch (entry.outcome().orElse(null)) {
      case null -> new Progress.Processing(pollAfter);
      case Outcome.Issued _ -> new Progress.Issued(entry);
      case Outcome.Abandoned _ ->
          new Progress.Refused(
              new Refusal(Refusal.Kind.GIVEN_UP, "the CA gave this request up: make a new order"));
    };
  }

  /** Begins with an octet that no client can send. */
  private static IdempotencyKey key(CertificateRequest request) {
    return IdempotencyKey.internal(request.endpoint().value() + "/" + request.id().text());
  }

  private static EnrollmentRequest enrollment(CertificateRequest request, CsrDer csr) {
    return new EnrollmentRequest(
        new Requester(
            request.requester(),
            Authentication.REGISTRATION,
            Set.of(Role.REQUESTER),
            Set.of(request.profile())),
        request.profile(),
        csr,
        Optional.of(key(request)),
        request.replaces().isPresent() ? new Occasion.Replacement() : new Occasion.Single());
  }
}
