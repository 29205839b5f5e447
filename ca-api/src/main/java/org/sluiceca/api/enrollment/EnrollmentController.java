package org.sluiceca.api.enrollment;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.certificate.EntryAccess;
import org.sluiceca.api.enrollment.renewal.RenewalProofs;
import org.sluiceca.api.http.access.AccessFilter;
import org.sluiceca.api.http.edge.Preference;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemMapper;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.Wait;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /v1/certificates} and renewals: one certificate a request. */
@RestController
final class EnrollmentController {

  private static final String PKCS10 = "application/pkcs10";
  private static final String PREFER = "Prefer";
  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
  private static final String IDEMPOTENCY_REPLAYED = "Idempotency-Replayed";

  /** The JSON form of an enrollment. */
  record EnrollmentBody(@Nullable String profile, @Nullable String csr) {}

  /** The JSON form of a renewal, whose profile is that of what it replaces. */
  record RenewalBody(@Nullable String csr) {}

  /** The headers that steer an enrollment. */
  private record Steering(MediaType answer, Preference preference, @Nullable String key) {}

  private final IssuanceService issuance;
  private final Renewals renewals;
  private final CertificateAnswer answers;
  private final JsonMapper json;

  EnrollmentController(
      IssuanceService issuance, Renewals renewals, CertificateAnswer answers, JsonMapper json) {
    this.issuance = issuance;
    this.renewals = renewals;
    this.answers = answers;
    this.json = json;
  }

  @PostMapping(path = "/v1/certificates", consumes = MediaType.APPLICATION_JSON_VALUE)
  void enroll(
      @AuthenticationPrincipal Requester requester,
      @RequestBody EnrollmentBody body,
      @RequestParam(name = "profile", required = false) @Nullable String named,
      @RequestHeader HttpHeaders headers,
      HttpServletResponse response)
      throws IOException {
    if (body.profile() == null || body.csr() == null) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "the JSON object needs profile and csr, both strings");
    }
    if (named != null && !named.equals(body.profile())) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "the query names another profile than the body");
    }
    CsrDer csr = RequestedCsr.of(body.csr().getBytes(StandardCharsets.UTF_8));
    send(enroll(requester, body.profile(), csr, steering(headers)), response);
  }

  @PostMapping(path = "/v1/certificates", consumes = PKCS10)
  void enrollPkcs10(
      @AuthenticationPrincipal Requester requester,
      @RequestParam String profile,
      @RequestBody byte[] body,
      @RequestHeader HttpHeaders headers,
      HttpServletResponse response)
      throws IOException {
    send(enroll(requester, profile, RequestedCsr.of(body), steering(headers)), response);
  }

  /** A new certificate in the place of one that the requester enrolled, with the same names. */
  @PostMapping(
      path = "/v1/certificates/{serial}/renewal",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> renew(
      @AuthenticationPrincipal @Nullable Requester requester,
      @PathVariable String serial,
      @RequestBody RenewalBody body,
      @RequestHeader HttpHeaders headers,
      HttpServletRequest http) {
    if (body.csr() == null) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "the JSON object needs csr, a string");
    }
    CsrDer csr = RequestedCsr.of(body.csr().getBytes(StandardCharsets.UTF_8));
    return renew(requester, serial, csr, headers, http);
  }

  @PostMapping(path = "/v1/certificates/{serial}/renewal", consumes = PKCS10)
  ResponseEntity<Object> renewPkcs10(
      @AuthenticationPrincipal @Nullable Requester requester,
      @PathVariable String serial,
      @RequestBody byte[] body,
      @RequestHeader HttpHeaders headers,
      HttpServletRequest http) {
    return renew(requester, serial, RequestedCsr.of(body), headers, http);
  }

  private ResponseEntity<Object> renew(
      @Nullable Requester requester,
      String serial,
      CsrDer csr,
      HttpHeaders headers,
      HttpServletRequest http) {
    Steering steering = steering(headers);
    if (requester == null) {
      RenewalProofs.Proven proven = renewals.proven(serial, headers, csr);
      AccessFilter.authenticated(http, proven.requester().id().value());
      return renew(proven.requester(), serial, csr, Optional.of(proven.key()), steering);
    }
    return renew(requester, serial, csr, keyOf(steering.key()), steering);
  }

  private ResponseEntity<Object> renew(
      Requester requester,
      String serial,
      CsrDer csr,
      Optional<IdempotencyKey> key,
      Steering steering) {
    Renewals.Renewable renewable = renewals.find(requester, serial);
    return enroll(
        new EnrollmentRequest(
            requester,
            renewable.profile(),
            csr,
            key,
            new Occasion.Renewal(renewable.certificate())),
        steering);
  }

  private ResponseEntity<Object> enroll(
      Requester requester, String profile, CsrDer csr, Steering steering) {
    if (!ProfileName.isValid(profile)) {
      throw new ProblemException(ProblemType.UNKNOWN_PROFILE, "no such profile");
    }
    return enroll(
        new EnrollmentRequest(requester, new ProfileName(profile), csr, keyOf(steering.key())),
        steering);
  }

  private ResponseEntity<Object> enroll(EnrollmentRequest request, Steering steering) {
    Preference preference = steering.preference();
    return switch (issuance.issue(
        request, Wait.ofClient(preference.respondAsync(), preference.longestWait()))) {
      case IssuanceResult.Issued issued ->
          answers.write(
              applied(
                  ResponseEntity.created(
                      EntryAccess.certificateUri(issued.intent().serialNumber())),
                  preference.applied(false, issued.waited())),
              steering.answer(),
              issued.intent(),
              issued.certificate());
      case IssuanceResult.Pending(
              SerialNumber order,
              Optional<QueuePosition> position,
              boolean waited) ->
          applied(OrdersController.accepted(order, position), preference.applied(true, waited))
              .body(OrdersController.Order.pending(order, position));
      case IssuanceResult.Replayed(Intent intent, CertificateDer certificate) ->
          answers.write(
              ResponseEntity.created(EntryAccess.certificateUri(intent.serialNumber()))
                  .header(IDEMPOTENCY_REPLAYED, "true"),
              steering.answer(),
              intent,
              certificate);
      case IssuanceResult.InProgress(SerialNumber order) ->
          throw new ProblemException(
              ProblemType.IDEMPOTENCY_KEY_IN_PROGRESS,
              "its order says when it is done",
              OrdersController.POLL_AFTER,
              OrdersController.path(order));
      case IssuanceResult.GivenUp(Outcome.Abandoned outcome, boolean wasEarlier) ->
          throw new ProblemException(
              ProblemType.CONFLICT,
              wasEarlier
                  ? "the first request was given up; ask again"
                  : "the request was given up: " + GivenUpOrder.describe(outcome.reason()));
      case IssuanceResult.Rejected rejected -> throw ProblemMapper.rejected(rejected.rejection());
      case IssuanceResult.Shed shed -> throw ProblemMapper.shed(shed.decision());
    };
  }

  private static ResponseEntity.BodyBuilder applied(
      ResponseEntity.BodyBuilder answer, Optional<String> preferences) {
    preferences.ifPresent(p -> answer.header(Preference.APPLIED, p));
    return answer;
  }

  private static Steering steering(HttpHeaders headers) {
    return new Steering(
        CertificateAnswer.negotiate(joined(headers, HttpHeaders.ACCEPT)),
        Preference.of(joined(headers, PREFER)),
        only(headers, IDEMPOTENCY_KEY));
  }

  /** RFC 9110 5.3: a list may be spread over several lines. */
  private static @Nullable String joined(HttpHeaders headers, String name) {
    List<String> lines = headers.get(name);
    return lines == null ? null : String.join(",", lines);
  }

  /**
   * Writes an answer, whose type is decided: what Spring would look for in a form that suits the
   * client costs more than the JSON.
   */
  private void send(ResponseEntity<Object> answer, HttpServletResponse response)
      throws IOException {
    boolean isJson = !(answer.getBody() instanceof byte[]);
    byte[] body =
        answer.getBody() instanceof byte[] octets
            ? octets
            : json.writeValueAsBytes(answer.getBody());
    response.setStatus(answer.getStatusCode().value());
    answer.getHeaders().forEach((name, values) -> values.forEach(v -> response.addHeader(name, v)));
    if (!isJson) {
      response.setContentLength(body.length);
    }
    response.getOutputStream().write(body);
  }

  /**
   * A header that is no list: two of it would be read as one by some and as the other by others.
   */
  private static @Nullable String only(HttpHeaders headers, String name) {
    List<String> lines = headers.get(name);
    if (lines != null && lines.size() > 1) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "there is more than one " + name + " header");
    }
    return lines == null ? null : lines.getFirst();
  }

  private static Optional<IdempotencyKey> keyOf(@Nullable String key) {
    if (key == null) {
      return Optional.empty();
    }
    if (!IdempotencyKey.isValid(key)) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST,
          "the Idempotency-Key must have 1 to 255 printable ASCII characters without spaces");
    }
    return Optional.of(new IdempotencyKey(key));
  }
}
