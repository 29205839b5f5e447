package org.sluiceca.api.ocsp;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.Wait;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.ocsp.ResponseIssuance;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;

/**
 * Renews the responders' certificates, for the same keys, by enrollments like any other. Every node
 * looks every hour; should two renew at once, both certificates are good. Owns one platform thread.
 */
public final class ResponderRenewal implements AutoCloseable {

  /** Soon after the start, for nodes that are started often, but not while all are started. */
  private static final Duration FIRST = Duration.ofMinutes(1);

  /** A certificate of 30 days is renewed in its last ten: an hour more does not matter. */
  private static final Duration PERIOD = Duration.ofHours(1);

  /** Only this thread waits for it. */
  private static final Duration ENROLL_MAX = Duration.ofSeconds(30);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private static final Requester NODE =
      new Requester(ResponseIssuance.REQUESTER, Authentication.CEREMONY, Set.of(), Set.of());

  private static final Logger LOG = LoggerFactory.getLogger(ResponderRenewal.class);

  /**
   * The components that an enrollment for a responder needs.
   *
   * @param csrs a CSR for the responder's key, signed by it
   * @param issuance with the profile of that issuer's responders
   * @param profile its name
   * @param issuers those that issue here
   */
  public record Line(
      Function<Responder, CsrDer> csrs,
      Function<Responder, IssuanceService> issuance,
      ProfileName profile,
      IssuerCatalog issuers) {}

  private final Line line;
  private final Responders responders;
  private final ResponderStore store;
  private final InstantSource clock;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              ResponderRenewal.class,
              "ocsp-renewal",
              "the OCSP responders are not renewed",
              FIRST,
              PERIOD,
              STOP_MAX),
          isStopping -> {
            renewAll();
            return PERIOD;
          });

  /** Makes the renewal; {@link #start} starts it. */
  public ResponderRenewal(
      Line line, Responders responders, ResponderStore store, InstantSource clock) {
    this.line = line;
    this.responders = responders;
    this.store = store;
    this.clock = clock;
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  /** Returns whether a responder has less than a third of its life left. */
  static boolean wantsRenewal(Responder responder, Instant now) {
    Instant notAfter = responder.validity().notAfter();
    Duration life = Duration.between(responder.validity().notBefore(), notAfter);
    return now.isAfter(notAfter.minus(life.dividedBy(3)));
  }

  void renewAll() {
    // Another node may have done it.
    responders.refresh();
    for (Responder responder : responders.all()) {
      if (wantsRenewal(responder, clock.instant())) {
        renewAlone(responder);
      }
    }
    responders.refresh();
  }

  /** One issuer that cannot issue now must not let the others' responders end. */
  private void renewAlone(Responder responder) {
    if (line.issuers().find(responder.issuer()).isEmpty()) {
      LOG.warn("the OCSP responder of {} ends, which issues no more", responder.issuer());
      return;
    }
    try {
      renew(responder);
    } catch (CaUnavailable e) {
      LOG.warn("no new OCSP responder of {} now: {}", responder.issuer(), e.getMessage());
    } catch (RuntimeException e) { // Part of the owned thread's loop: it goes on with the next.
      LOG.error("renewing the OCSP responder of {} failed", responder.issuer(), e);
    }
  }

  private void renew(Responder responder) {
    RegisteredResponder former =
        store.list().stream()
            .filter(row -> row.issuer().equals(responder.issuer()))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("its row is gone"));
    OctetString key = OctetString.copyOf(responder.subjectPublicKeyInfo().encoded());
    if (!former.subjectPublicKeyInfo().equals(key)) {
      // A node learns of keys when it starts. A new row would bring the replaced one back.
      LOG.warn("the OCSP responder of {} has another key: restart this node", responder.issuer());
      return;
    }
    CertificateDer certificate = enroll(responder);
    store.insert(new RegisteredResponder(responder.issuer(), certificate, key, former.key()));
    LOG.info("renewed the OCSP responder of {}", responder.issuer());
  }

  private CertificateDer enroll(Responder responder) {
    EnrollmentRequest request =
        new EnrollmentRequest(NODE, line.profile(), line.csrs().apply(responder), Optional.empty());
    IssuanceResult result =
        line.issuance().apply(responder).issue(request, Wait.ofNode(ENROLL_MAX));
    if (result instanceof IssuanceResult.Issued issued) {
      return issued.certificate();
    }
    throw new IllegalStateException(
        "no new certificate for the responder of " + responder.issuer() + ": " + result);
  }

  /** Ends the thread, waiting 5 s at most. */
  @Override
  public void close() {
    task.close();
  }
}
