package org.sluiceca.api.cli.ceremony;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.x509.CertificateDer;

/**
 * The audit chain of one run of one step: begun before anything is done, ended after everything is,
 * each row durable before the step goes on. A chain without an end is a step that failed. For one
 * thread.
 */
final class CeremonyChain implements EventSink {

  private static final InstantSource CLOCK = InstantSource.system();

  private final AuditStore store;
  private final String actor;
  private ChainHead head;

  private CeremonyChain(AuditStore store, String actor, ChainHead head) {
    this.store = store;
    this.actor = actor;
    this.head = head;
  }

  /**
   * Begins a chain.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if it cannot be recorded
   */
  static CeremonyChain begin(LedgerDatabase database, String step, Map<String, Object> details) {
    String name = String.format(Locale.ROOT, "ceremony.%016x", new SecureRandom().nextLong());
    // A key ceremony is worth nothing without the name of who held it.
    String actor = System.getProperty("user.name", "").replaceAll("[^!-~]", "_");
    CeremonyChain chain =
        new CeremonyChain(
            new AuditStore(database),
            "ceremony:" + actor.substring(0, Math.min(actor.length(), 40)),
            ChainHead.start(name));
    Map<String, Object> more = new HashMap<>(details);
    more.put("step", step);
    chain.record(AuditKind.CEREMONY_BEGUN, more);
    return chain;
  }

  /** Returns who holds it, 49 characters at most. */
  String actor() {
    return actor;
  }

  /** Records what was made. */
  void result(Map<String, Object> details) {
    record(AuditKind.CEREMONY_RESULT, details);
  }

  /** Records a certificate that was made or installed. */
  void certificate(String name, CertificateDer certificate) {
    result(Map.of("name", name, "certificate", Digest.sha256(certificate.encoded()).toString()));
  }

  /**
   * Records certificates that the ledger has as issued from now on.
   *
   * @param certificates {@code serial} and {@code sha256} of each, 200 at most
   */
  void issued(List<Map<String, String>> certificates) {
    record(AuditKind.CERTIFICATES_ISSUED, Map.of("certificates", List.copyOf(certificates)));
  }

  /** Records that the step has done what it should. */
  void end() {
    record(AuditKind.CEREMONY_ENDED, Map.of());
  }

  @Override
  public void accept(CaEvent event) {
    if (event instanceof CaEvent.CertificateIssued issued) {
      record(
          AuditKind.CERTIFICATES_ISSUED,
          Map.of(
              "certificates",
              List.of(
                  Map.of(
                      "serial", issued.serialNumber().hex(),
                      "requester", issued.requester().value(),
                      "sha256", Digest.sha256(issued.certificate().encoded()).toString()))));
    }
  }

  private void record(AuditKind kind, Map<String, Object> details) {
    AuditRow row = head.next(new Fact(kind, actor, details).event(CLOCK.instant()));
    store.append(List.of(row));
    head = row.head();
  }
}
