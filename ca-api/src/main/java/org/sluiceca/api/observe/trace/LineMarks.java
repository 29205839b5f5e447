package org.sluiceca.api.observe.trace;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;

/** Marks the current span with what the line reached, or why it ended. */
final class LineMarks implements EventSink {

  private final Tracer tracer;

  LineMarks(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public void accept(CaEvent event) {
    Span span = tracer.currentSpan();
    if (span == null || span.isNoop()) {
      return;
    }
    switch (event) {
      case CaEvent.RequestAdmitted admitted ->
          span.event("admitted").tag("sluice.lane", admitted.lane().name());
      case CaEvent.RequestShed shed -> span.event("shed").tag("sluice.cause", shed.cause());
      case CaEvent.RequestRejected rejected ->
          span.event("rejected").tag("sluice.reason", rejected.reason().name());
      case CaEvent.RequestReplayed replayed -> span.event("replayed");
      case CaEvent.IntentRecorded recorded ->
          span.event("recorded")
              .tag("sluice.serial", recorded.serialNumber().toString())
              .tag("sluice.profile", recorded.profile().value());
      case CaEvent.ValidityClamped clamped -> span.event("validity clamped");
      case CaEvent.SignatureMade made -> span.event("signed");
      case CaEvent.SignatureRefused refused -> span.event("signature refused");
      case CaEvent.CertificateIssued issued -> span.event("issued");
      case CaEvent.IntentAbandoned abandoned -> span.event("abandoned");
      case CaEvent.IntentLeftPending left -> span.event("left pending");
      case CaEvent.DeadlineMissed missed -> span.event("deadline missed");
      case CaEvent.IntentTakenOver taken -> span.event("taken over");
      case CaEvent.OrderTaken taken -> span.event("taken out of the backlog");
      case CaEvent.CertificateRevoked revoked -> span.event("revoked");
      case CaEvent.CertificatesRevoked revoked -> span.event("revoked many");
      case CaEvent.HoldReleased released -> span.event("released from hold");
      case CaEvent.CrlIssued issued -> span.event("crl issued");
      case CaEvent.CrlSignatureRefused refused -> span.event("crl signature refused");
      case CaEvent.OcspSignatureRefused refused -> span.event("ocsp signature refused");
    }
  }
}
