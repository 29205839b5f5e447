package org.sluiceca.api.enrollment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.certificate.EntryAccess;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.backlog.BacklogWatch;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/orders}: an order is an intent that no client waits for, so its id is the serial
 * number and any node can answer.
 */
@RestController
final class OrdersController {

  /**
   * Of an order that this node knows nothing of: another one has it, or it was let lie and is taken
   * over within some 20 s.
   */
  static final Duration POLL_AFTER = Duration.ofSeconds(2);

  /**
   * The state of an order.
   *
   * @param status pending, issued or failed
   * @param position while pending, how many came before it; null if another node has it
   * @param etaSeconds while pending, when it should be done; null if that is not known here
   * @param certificate where the certificate is, once issued
   * @param detail why it failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Order(
      String id,
      String status,
      @Nullable Integer position,
      @Nullable Double etaSeconds,
      @Nullable String certificate,
      @Nullable String detail) {

    static Order pending(SerialNumber order, Optional<QueuePosition> position) {
      return new Order(
          order.hex(),
          "pending",
          position.map(QueuePosition::position).orElse(null),
          position
              .flatMap(s -> s.etaSeconds().stream().mapToObj(Order::rounded).findFirst())
              .orElse(null),
          null,
          null);
    }

    /** Rounds to milliseconds: more digits would say more than is known. */
    private static Double rounded(double seconds) {
      return Math.round(seconds * 1_000) / 1_000.0;
    }
  }

  /** A cancellation is two commits. */
  private static final Duration CANCEL_MAX = Duration.ofSeconds(5);

  private final EntryAccess entries;
  private final IssuanceExecutor executor;
  private final BacklogWatch backlog;
  private final Ledger ledger;
  private final EventSink events;
  private final AuditTrail trail;
  private final Ticker ticker;

  OrdersController(
      EntryAccess entries,
      IssuanceExecutor executor,
      BacklogWatch backlog,
      Ledger ledger,
      EventSink events,
      AuditTrail trail,
      Ticker ticker) {
    this.entries = entries;
    this.executor = executor;
    this.backlog = backlog;
    this.ledger = ledger;
    this.events = events;
    this.trail = trail;
    this.ticker = ticker;
  }

  @GetMapping("/v1/orders/{id}")
  ResponseEntity<Order> get(@AuthenticationPrincipal Requester requester, @PathVariable String id) {
    LedgerEntry entry = entries.visibleTo(requester, id);
    SerialNumber serialNumber = entry.intent().serialNumber();
    if (entry.outcome().isEmpty()) {
      Optional<QueuePosition> position =
          executor
              .position(serialNumber)
              .or(() -> backlog.position(serialNumber, entry.intent().origin().requester()));
      return ResponseEntity.ok()
          .header(HttpHeaders.RETRY_AFTER, pollAfter(position))
          .body(Order.pending(serialNumber, position));
    }
    return ResponseEntity.ok(decided(serialNumber, entry.outcome().get()));
  }

  /**
   * Cancels an order that is not issued yet. Unless it still waited in the backlog, its serial
   * number goes onto the CRL, for it may have been signed.
   */
  @DeleteMapping("/v1/orders/{id}")
  Order cancel(@AuthenticationPrincipal Requester requester, @PathVariable String id) {
    LedgerEntry entry = entries.ownOrOfficers(requester, id, "cancel");
    SerialNumber serialNumber = entry.intent().serialNumber();
    // An act that is not in the audit trail is not done.
    trail.recordDurably(
        new Fact(
            AuditKind.ORDER_CANCEL, requester.id().value(), Map.of("serial", serialNumber.hex())));
    Ledger.Decided decided =
        ledger
            .cancel(serialNumber, Deadline.after(CANCEL_MAX, ticker))
            .orElseThrow(() -> new IllegalStateException("the ledger forgot " + serialNumber));
    return switch (decided.outcome()) {
      case Outcome.Issued issued ->
          throw new ProblemException(
              ProblemType.CONFLICT, "the certificate is issued already; it can be revoked");
      case Outcome.Abandoned abandoned -> {
        if (decided.isOurs()) {
          events.accept(
              new CaEvent.IntentAbandoned(
                  serialNumber, abandoned.reason().name(), abandoned.maybeSigned()));
        }
        yield decided(serialNumber, abandoned);
      }
    };
  }

  private static Order decided(SerialNumber serialNumber, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Issued issued ->
          new Order(
              serialNumber.hex(),
              "issued",
              null,
              null,
              EntryAccess.certificateUri(serialNumber).toString(),
              null);
      case Outcome.Abandoned abandoned ->
          new Order(
              serialNumber.hex(),
              "failed",
              null,
              null,
              null,
              GivenUpOrder.describe(abandoned.reason()));
    };
  }

  static String path(SerialNumber order) {
    return "/v1/orders/" + order.hex();
  }

  /** Answers 202: the intent is durable, the certificate comes later. */
  static ResponseEntity.BodyBuilder accepted(SerialNumber order, Optional<QueuePosition> position) {
    return ResponseEntity.accepted()
        .location(URI.create(path(order)))
        .header(HttpHeaders.RETRY_AFTER, pollAfter(position))
        // Whatever the client accepts of a certificate: an accepted request is never a 406.
        .contentType(MediaType.APPLICATION_JSON);
  }

  private static String pollAfter(Optional<QueuePosition> position) {
    return Long.toString(position.map(QueuePosition::retryAfter).orElse(POLL_AFTER).toSeconds());
  }
}
