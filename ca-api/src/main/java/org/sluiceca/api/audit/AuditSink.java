package org.sluiceca.api.audit;

import java.util.HashMap;
import java.util.Map;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Passes those of the line's events to the trail that concern security. Thread-safe, never waits.
 */
public final class AuditSink implements EventSink {

  private final AuditTrail trail;

  public AuditSink(AuditTrail trail) {
    this.trail = trail;
  }

  @Override
  public void accept(CaEvent event) {
    switch (event) {
      case CaEvent.CertificateIssued issued ->
          trail.issued(
              IssuedCertificate.of(
                  issued.serialNumber(), issued.requester(), issued.certificate()));
      case CaEvent.RequestRejected rejected ->
          record(
              AuditKind.REQUEST_REJECTED,
              rejected.requester().value(),
              Map.of("profile", rejected.profile().value(), "reason", rejected.reason().name()));
      case CaEvent.RequestShed shed ->
          record(
              AuditKind.REQUEST_SHED,
              shed.requester().value(),
              Map.of("lane", shed.lane().name(), "cause", shed.cause()));
      case CaEvent.ValidityClamped clamped ->
          record(
              AuditKind.VALIDITY_CLAMPED,
              AuditEvent.UNKNOWN_ACTOR,
              Map.of(
                  "serial", clamped.serialNumber().hex(),
                  "profile", clamped.profile().value(),
                  "wanted", clamped.wanted().toString(),
                  "notAfter", clamped.notAfter().toString()));
      case CaEvent.SignatureRefused refused ->
          record(
              AuditKind.SIGNATURE_REFUSED,
              AuditEvent.UNKNOWN_ACTOR,
              Map.of("serial", refused.serialNumber().hex(), "lane", refused.lane().name()));
      case CaEvent.IntentAbandoned abandoned ->
          record(
              AuditKind.INTENT_ABANDONED,
              AuditEvent.UNKNOWN_ACTOR,
              Map.of(
                  "serial", abandoned.serialNumber().hex(),
                  "reason", abandoned.reason(),
                  "maybeSigned", abandoned.maybeSigned()));
      case CaEvent.IntentTakenOver taken ->
          record(
              AuditKind.INTENT_TAKEN_OVER,
              AuditEvent.UNKNOWN_ACTOR,
              Map.of("serial", taken.serialNumber().hex(), "epoch", taken.epoch()));
      case CaEvent.CertificateRevoked revoked -> revoked(revoked);
      case CaEvent.CertificatesRevoked revoked -> revoked(revoked);
      case CaEvent.HoldReleased released ->
          record(
              AuditKind.HOLD_RELEASED,
              released.by().value(),
              Map.of("serial", released.serialNumber().hex()));
      case CaEvent.CrlIssued issued -> crlIssued(issued);
      case CaEvent.CrlSignatureRefused refused -> crlRefused(refused);
      case CaEvent.OcspSignatureRefused refused ->
          record(
              AuditKind.SIGNATURE_REFUSED,
              AuditEvent.UNKNOWN_ACTOR,
              Map.of("ocspOf", refused.issuer().value()));
      // What the ledger itself holds, and what only metrics need.
      case CaEvent.RequestAdmitted admitted -> {}
      case CaEvent.RequestReplayed replayed -> {}
      case CaEvent.IntentRecorded recorded -> {}
      case CaEvent.SignatureMade made -> {}
      case CaEvent.IntentLeftPending left -> {}
      case CaEvent.OrderTaken taken -> {}
      case CaEvent.DeadlineMissed missed -> {}
    }
  }

  private void revoked(CaEvent.CertificateRevoked revoked) {
    record(
        AuditKind.CERTIFICATE_REVOKED,
        revoked.by().value(),
        Map.of("serial", revoked.serialNumber().hex(), "reason", revoked.reason().label()));
  }

  private void revoked(CaEvent.CertificatesRevoked revoked) {
    record(
        AuditKind.CERTIFICATES_REVOKED,
        revoked.by().value(),
        Map.of(
            "job", revoked.job().toString(),
            "reason", revoked.reason().label(),
            // 500 of 41 octets: a third of what a row may have.
            "serials", revoked.serialNumbers().stream().map(SerialNumber::hex).toList()));
  }

  private void crlIssued(CaEvent.CrlIssued issued) {
    Map<String, Object> details = new HashMap<>();
    details.put("issuer", issued.issuer().value());
    details.put("shard", issued.shard());
    details.put("number", issued.number());
    details.put("entries", issued.entries());
    issued.base().ifPresent(base -> details.put("base", base));
    record(AuditKind.CRL_ISSUED, AuditEvent.UNKNOWN_ACTOR, details);
  }

  private void crlRefused(CaEvent.CrlSignatureRefused refused) {
    record(
        AuditKind.SIGNATURE_REFUSED,
        AuditEvent.UNKNOWN_ACTOR,
        Map.of(
            "issuer", refused.issuer().value(),
            "shard", refused.shard(),
            "crlNumber", refused.number()));
  }

  private void record(AuditKind kind, String actor, Map<String, Object> details) {
    trail.record(new Fact(kind, actor, details));
  }
}
