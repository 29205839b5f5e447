package org.sluiceca.api.acme.renewal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.renewal.CertificateId;
import org.sluiceca.core.renewal.RenewalLoad;
import org.sluiceca.core.renewal.RenewalWindows;
import org.sluiceca.core.renewal.Replacement;
import org.sluiceca.core.renewal.SuggestedWindow;
import org.sluiceca.core.renewal.Urgency;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/**
 * Renewal information (RFC 9773): when to renew a certificate, and which certificate an order
 * replaces. Anyone may ask, so few are answered at once. Thread-safe; blocks for two queries.
 */
public final class AcmeRenewals {

  /** Each is two look-ups by primary key. */
  private static final int AT_ONCE = 16;

  private static final Duration BUSY_RETRY = Duration.ofMinutes(1);

  private final Ledger ledger;
  private final RevocationStore revocations;
  private final PostgresRequestStore requests;
  private final InstantSource clock;
  private final RenewalWindows windows = new RenewalWindows(RenewalLoad.UNKNOWN);
  private final Semaphore turns = new Semaphore(AT_ONCE);

  public AcmeRenewals(
      Ledger ledger,
      RevocationStore revocations,
      PostgresRequestStore requests,
      InstantSource clock) {
    this.ledger = ledger;
    this.revocations = revocations;
    this.requests = requests;
    this.clock = clock;
  }

  /** {@code renewalInfo} of a certificate. */
  public ResponseEntity<Object> show(String id) {
    if (!turns.tryAcquire()) {
      throw AcmeProblem.later("too many ask at once: ask again", BUSY_RETRY);
    }
    try {
      return answer(read(id));
    } finally {
      turns.release();
    }
  }

  private ResponseEntity<Object> answer(LedgerEntry entry) {
    SerialNumber serial = entry.intent().serialNumber();
    Validity validity = tbs(entry).validity();
    Instant now = clock.instant();
    Optional<Revocation> revocation = revocations.status(serial).revocation();
    List<Replacement> replacements =
        revocation.stream()
            .map(r -> new Replacement(r.revokedAt(), Map.of(), 0, Replacement.A_DAY))
            .toList();
    SuggestedWindow window =
        revocation
            .map(
                r ->
                    windows.window(
                        validity, serial, Urgency.of(r.reason()), replacements.getFirst()))
            .orElseGet(() -> windows.window(validity, serial));
    return ResponseEntity.ok()
        .header(
            HttpHeaders.RETRY_AFTER,
            AcmeAnswer.seconds(windows.pollAfter(validity, serial, window, now, replacements)))
        .body(
            Map.of(
                "suggestedWindow",
                Map.of("start", window.start().toString(), "end", window.end().toString())));
  }

  /**
   * Returns the certificate that a new order replaces, if it may: of the same requester, with all
   * of the order's names. Of others the order goes on as any (RFC 9773 5).
   *
   * @throws AcmeProblem if it is none of this CA's, or another order has replaced it
   */
  public Optional<SerialNumber> replaced(
      String id, RequesterId requester, List<Identifier> identifiers) {
    SerialNumber serial = read(id).intent().serialNumber();
    if (requests.isReplaced(serial)) {
      throw new AcmeProblem(
          AcmeError.ALREADY_REPLACED, "another order has replaced that certificate");
    }
    return requests
        .findBySerial(serial)
        .filter(order -> order.requester().equals(requester))
        .filter(order -> order.identifiers().containsAll(identifiers))
        .map(order -> serial);
  }

  private LedgerEntry read(String id) {
    CertificateId parsed;
    try {
      parsed = CertificateId.parse(id);
    } catch (IllegalArgumentException e) {
      throw new AcmeProblem(
          AcmeError.MALFORMED, "not the identifier of a certificate: " + e.getMessage());
    }
    Extension authority = Extensions.authorityKeyIdentifier(parsed.keyIdentifier().octets());
    return parsed
        .serialNumber()
        .flatMap(ledger::find)
        .filter(entry -> entry.certificate().isPresent())
        .filter(
            entry -> tbs(entry).extension(authority.oid()).filter(authority::equals).isPresent())
        .orElseThrow(
            () ->
                AcmeProblem.of(
                    AcmeError.MALFORMED, 404, "this CA has issued no such certificate", null));
  }

  private static TbsCertificate tbs(LedgerEntry entry) {
    try {
      return CertificateReader.read(entry.intent().tbsCertificate());
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own certificate does not parse", e);
    }
  }
}
