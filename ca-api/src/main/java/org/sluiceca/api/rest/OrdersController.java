package org.sluiceca.api.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/orders}: an order is an intent that nobody waits for, so its id is the serial number
 * and any node can answer.
 */
@RestController
final class OrdersController {

  /** A claim that was let lie is taken over within some 20 s; asking twice in that time is fair. */
  static final Duration POLL_AFTER = Duration.ofSeconds(2);

  /**
   * The state of an order.
   *
   * @param status pending, issued or failed
   * @param certificate where the certificate is, once issued
   * @param detail why it failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Order(String id, String status, @Nullable String certificate, @Nullable String detail) {}

  private final EntryAccess entries;

  OrdersController(EntryAccess entries) {
    this.entries = entries;
  }

  @GetMapping("/v1/orders/{id}")
  ResponseEntity<Order> get(@AuthenticationPrincipal Requester requester, @PathVariable String id) {
    LedgerEntry entry = entries.visibleTo(requester, id);
    SerialNumber serialNumber = entry.intent().serialNumber();
    if (entry.outcome().isEmpty()) {
      return ResponseEntity.ok()
          .header(HttpHeaders.RETRY_AFTER, Long.toString(POLL_AFTER.toSeconds()))
          .body(new Order(serialNumber.hex(), "pending", null, null));
    }
    return ResponseEntity.ok(
        switch (entry.outcome().get()) {
          case Outcome.Issued issued ->
              new Order(
                  serialNumber.hex(),
                  "issued",
                  EntryAccess.certificateUri(serialNumber).toString(),
                  null);
          case Outcome.Abandoned abandoned ->
              new Order(serialNumber.hex(), "failed", null, describe(abandoned.reason()));
        });
  }

  static String path(SerialNumber order) {
    return "/v1/orders/" + order.hex();
  }

  /** Answers 202: the promise is durable, the certificate comes later. */
  static ResponseEntity<Object> accepted(SerialNumber order) {
    return ResponseEntity.accepted()
        .location(URI.create(path(order)))
        .header(HttpHeaders.RETRY_AFTER, Long.toString(POLL_AFTER.toSeconds()))
        // Whatever the client accepts of a certificate: a promise that was made is never a 406.
        .contentType(MediaType.APPLICATION_JSON)
        .body(new Order(order.hex(), "pending", null, null));
  }

  static String describe(Outcome.Reason reason) {
    return switch (reason) {
      case TOO_OLD -> "it waited too long for the signer; ask again";
      case ISSUER_INACTIVE -> "its issuer is no longer active";
      case CONTENT_NOT_ISSUABLE -> "its content is no longer what its profile allows; ask again";
      case REQUESTER_NOT_ALLOWED -> "its requester may no longer have it";
    };
  }
}
