package org.sluiceca.core.enroll;

import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.CertificateDer;

/** What the line reports of its steps, as events. Thread-safe, as its sink is. */
final class EnrollmentEvents {

  private final EventSink sink;

  EnrollmentEvents(EventSink sink) {
    this.sink = sink;
  }

  void shed(EnrollmentRequest request, Lane lane, AdmissionDecision.Shed shed) {
    sink.accept(
        new CaEvent.RequestShed(
            request.requester().id(), lane, shed.cause().name(), shed.retryAfter().toSeconds()));
  }

  void admitted(EnrollmentRequest request, Lane lane) {
    sink.accept(new CaEvent.RequestAdmitted(request.requester().id(), lane));
  }

  void rejected(EnrollmentRequest request, Rejection rejection) {
    sink.accept(
        new CaEvent.RequestRejected(
            request.requester().id(), request.profile(), rejection.reason()));
  }

  void replayed(EnrollmentRequest request, Lane lane, LedgerEntry first) {
    sink.accept(
        new CaEvent.RequestReplayed(request.requester().id(), lane, first.intent().serialNumber()));
  }

  void recorded(IssuancePlan plan) {
    EnrollmentRequest request = plan.authorized().request();
    sink.accept(
        new CaEvent.IntentRecorded(
            plan.serialNumber(),
            request.requester().id(),
            request.profile(),
            plan.departures().overridden()));
    plan.departures()
        .clamped()
        .ifPresent(
            clamped ->
                sink.accept(
                    new CaEvent.ValidityClamped(
                        plan.serialNumber(),
                        request.profile(),
                        clamped.wanted(),
                        clamped.notAfter())));
  }

  void signed(RecordedIntent intent) {
    sink.accept(new CaEvent.SignatureMade(intent.serialNumber(), intent.claim().epoch()));
  }

  /** The check of step 7 found that the signature is not to be used. */
  void signatureRefused(RecordedIntent intent, Lane lane) {
    sink.accept(new CaEvent.SignatureRefused(intent.serialNumber(), lane));
  }

  void issued(RecordedIntent recorded, CertificateDer certificate) {
    Intent intent = recorded.intent();
    sink.accept(
        new CaEvent.CertificateIssued(
            intent.serialNumber(),
            intent.origin().requester(),
            intent.origin().profile(),
            intent.signatureAlgorithm(),
            certificate));
  }
}
