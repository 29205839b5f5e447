package org.sluiceca.api.acme.renewal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.http.sender.SenderNetworks;
import org.sluiceca.api.registration.store.RequestsBySerial;
import org.sluiceca.api.renewal.RenewalTimes;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.renewal.CertificateId;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/**
 * Renewal information (RFC 9773): when to renew a certificate, and which certificate an order
 * replaces. Anyone may ask, so few are answered at once, and networks that ask at once in turn.
 * Thread-safe; blocks for some queries, each by an index.
 */
public final class AcmeRenewals {

  /** The headers of SEQUENCE and [0] before a key identifier of 64 octets at most. */
  private static final int AUTHORITY_HEADERS = 4;

  /**
   * Orders of one account that replace one certificate and have no CSR yet. A client that tries
   * again after a failure has two or three; by account, so that none can use up another's.
   */
  private static final int OPEN_MAX = 5;

  private final Ledger ledger;
  private final RevocationStore revocations;
  private final RequestsBySerial requests;
  private final InstantSource clock;
  private final RenewalTimes times;
  private final Map<RenewalTimes.Kind, Counter> answers = new EnumMap<>(RenewalTimes.Kind.class);
  private final SenderNetworks networks;
  private final AskTurns turns = new AskTurns();

  public AcmeRenewals(
      Ledger ledger,
      RevocationStore revocations,
      RequestsBySerial requests,
      RenewalTimes times,
      SenderNetworks networks,
      MeterRegistry registry,
      InstantSource clock) {
    this.ledger = ledger;
    this.revocations = revocations;
    this.requests = requests;
    this.times = times;
    this.networks = networks;
    this.clock = clock;
    for (RenewalTimes.Kind kind : RenewalTimes.Kind.values()) {
      answers.put(
          kind,
          Counter.builder("ca.acme.renewal.information")
              .tag("kind", kind.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  /**
   * {@code renewalInfo} of a certificate.
   *
   * @param remote the address of the request's connection
   * @throws AcmeProblem if {@code id} names no certificate of this CA, or too many ask at once
   */
  public ResponseEntity<Object> show(String remote, String id) {
    return turns.inTurn(networks.of(remote), () -> answer(read(id)));
  }

  private ResponseEntity<Object> answer(LedgerEntry entry) {
    RenewalTimes.Answer answer =
        times.of(
            entry,
            tbs(entry).validity(),
            revocations.status(entry.intent().serialNumber()).revocation(),
            clock.instant());
    Optional.ofNullable(answers.get(answer.kind())).ifPresent(Counter::increment);
    return ResponseEntity.ok()
        .header(HttpHeaders.RETRY_AFTER, AcmeAnswer.seconds(answer.pollAfter()))
        .body(
            Map.of(
                "suggestedWindow",
                Map.of(
                    "start", answer.window().start().toString(),
                    "end", answer.window().end().toString())));
  }

  /** Returns the identifier of a certificate of this CA, as an order shows it (RFC 9773 5). */
  public Optional<String> identifier(SerialNumber serial) {
    return ledger
        .find(serial)
        .flatMap(entry -> tbs(entry).extension(ExtensionOids.AUTHORITY_KEY_IDENTIFIER))
        .map(authority -> CertificateId.of(keyIdentifier(authority), serial).text());
  }

  /** Returns the key identifier of the form that this CA writes; {@link #read} takes no other. */
  private static OctetString keyIdentifier(Extension authority) {
    byte[] value = authority.value();
    return OctetString.copyOf(Arrays.copyOfRange(value, AUTHORITY_HEADERS, value.length));
  }

  /**
   * Returns the certificate that a new order replaces, if it may: of the same account or requester.
   * Of another's the order goes on as any, since a machine whose binding was replaced would get no
   * certificate.
   *
   * @throws AcmeProblem if it is none of this CA's, it has none of the order's names (RFC 9773 5),
   *     another order has replaced it, or too many of the account would
   */
  public Optional<SerialNumber> replaced(String id, Account account, List<Identifier> identifiers) {
    SerialNumber serial = read(id).intent().serialNumber();
    if (requests.replacing(serial).isPresent()) {
      throw alreadyReplaced();
    }
    Optional<CertificateRequest> first =
        requests
            .findBySerial(serial)
            // The endpoint of the account may have had another owner then.
            .filter(
                order ->
                    order.actor().equals(account.id())
                        || order.requester().equals(account.requester()));
    if (first.filter(order -> Collections.disjoint(order.identifiers(), identifiers)).isPresent()) {
      throw new AcmeProblem(
          AcmeError.MALFORMED,
          "the certificate that replaces names has none of the order's names: leave replaces out");
    }
    if (first.isPresent() && requests.openReplacing(account.id(), serial) >= OPEN_MAX) {
      throw new AcmeProblem(
          AcmeError.ALREADY_REPLACED,
          OPEN_MAX
              + " orders of this account that replace the certificate wait for their CSR: finalize"
              + " one of them, or leave replaces out");
    }
    return first.map(_ -> serial);
  }

  /**
   * Requires that no other order has replaced what an order would. Its client may learn so with its
   * CSR only: of several open orders one replaces a certificate, and the others nothing. It looks
   * before the CSR is stored: two orders that are finalized at the same time may both replace one
   * certificate.
   */
  public void requireFirst(CertificateRequest order) {
    if (order
        .replaces()
        .flatMap(requests::replacing)
        .filter(other -> !other.equals(order.id()))
        .isPresent()) {
      throw alreadyReplaced();
    }
  }

  private static AcmeProblem alreadyReplaced() {
    return new AcmeProblem(
        AcmeError.ALREADY_REPLACED, "another order has replaced that certificate");
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
