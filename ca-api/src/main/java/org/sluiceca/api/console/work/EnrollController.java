package org.sluiceca.api.console.work;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.console.form.ConsoleForm;
import org.sluiceca.api.enrollment.GivenUpOrder;
import org.sluiceca.api.enrollment.RequestedCsr;
import org.sluiceca.api.http.problem.Problem;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemMapper;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.Wait;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Enrolling by a form, in two steps: the first explains what a request would become, the second
 * sends it where REST sends its own. A repeat of the second gets what the first one got: its key
 * comes with the explanation.
 */
@Controller
final class EnrollController {

  private static final Logger LOG = LoggerFactory.getLogger(EnrollController.class);

  private static final String TEMPLATE = "enroll";

  private static final String CSR = "csr";
  private static final String PROFILE = "profile";

  /** The field that names the second step's request, and makes it the second step. */
  private static final String KEY = "key";

  /** What no request has, however it was copied: more than what is recognized as a key. */
  private static final String KEY_TEXT = "PRIVATE KEY";

  /** As long as a client of REST waits that does not say. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private final IssuanceService issuance;
  private final Previews previews;
  private final Pages pages;

  EnrollController(IssuanceService issuance, Previews previews, Pages pages) {
    this.issuance = issuance;
    this.previews = previews;
    this.pages = pages;
  }

  /** What was sent, as it stands in the form again. */
  private record Sent(String csr, String profile, String key) {}

  @GetMapping(ConsolePaths.ENROLL)
  void form(HttpServletRequest request, HttpServletResponse response) throws IOException {
    write(request, response, HttpServletResponse.SC_OK, model(request, new Sent("", "", "")));
  }

  @PostMapping(ConsolePaths.ENROLL)
  void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ConsoleForm form = ConsoleForm.of(request);
    Sent sent = new Sent(form.field(CSR), form.field(PROFILE), form.field(KEY));
    try {
      // Before anything else is done with it, and nothing of it comes back.
      if (sent.csr().toUpperCase(Locale.ROOT).contains(KEY_TEXT)) {
        throw new ProblemException(ProblemType.PRIVATE_KEY_SENT, "");
      }
      EnrollmentRequest wanted = wanted(SessionFilter.required(request).requester(), sent);
      if (sent.key().isEmpty()) {
        explain(wanted, sent, request, response);
      } else {
        lead(response, enrolled(wanted));
      }
    } catch (ProblemException e) {
      refuse(request, response, sent, e);
    } catch (CaUnavailable e) {
      LOG.warn("unavailable: {}", e.getMessage());
      refuse(request, response, sent, ProblemMapper.unavailable(e));
    }
  }

  private static EnrollmentRequest wanted(Requester requester, Sent sent) {
    if (sent.csr().isBlank()) {
      throw new ProblemException(ProblemType.MALFORMED_CSR, "paste a certification request");
    }
    CsrDer csr = RequestedCsr.of(sent.csr().getBytes(StandardCharsets.UTF_8));
    if (!ProfileName.isValid(sent.profile())) {
      throw new ProblemException(ProblemType.UNKNOWN_PROFILE, "choose a profile");
    }
    return new EnrollmentRequest(requester, new ProfileName(sent.profile()), csr, key(sent));
  }

  private static Optional<IdempotencyKey> key(Sent sent) {
    if (sent.key().isEmpty()) {
      return Optional.empty();
    }
    if (!Tokens.isToken(sent.key())) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "the form is not one of this page");
    }
    return Optional.of(new IdempotencyKey(sent.key()));
  }

  private void explain(
      EnrollmentRequest wanted, Sent sent, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ExplainedRequest explained = previews.explained(wanted);
    Map<String, Object> model = model(request, sent);
    model.put("explained", explained);
    model.put("encoded", Base64.getEncoder().encodeToString(wanted.csr().encoded()));
    model.put(KEY, Tokens.next());
    write(request, response, HttpServletResponse.SC_OK, model);
  }

  /** Returns the serial number of what was issued, or will be. */
  private SerialNumber enrolled(EnrollmentRequest wanted) {
    return switch (issuance.issue(wanted, Wait.ofClient(false, WAIT_MAX))) {
      case IssuanceResult.Issued issued -> issued.intent().serialNumber();
      case IssuanceResult.Replayed replayed -> replayed.intent().serialNumber();
      case IssuanceResult.Pending pending -> pending.order();
      case IssuanceResult.InProgress progress -> progress.order();
      case IssuanceResult.GivenUp given ->
          throw new ProblemException(
              ProblemType.CONFLICT,
              "the request was given up: " + GivenUpOrder.describe(given.outcome().reason()));
      case IssuanceResult.Rejected rejected -> throw ProblemMapper.rejected(rejected.rejection());
      case IssuanceResult.Shed shed -> throw ProblemMapper.shed(shed.decision());
    };
  }

  private static void lead(HttpServletResponse response, SerialNumber serial) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(HttpHeaders.LOCATION, ConsolePaths.CERTIFICATES + "/" + serial.hex());
  }

  /** The form again, with the reason; what was refused for load can be sent again as it is. */
  private void refuse(
      HttpServletRequest request, HttpServletResponse response, Sent sent, ProblemException problem)
      throws IOException {
    boolean isExposed = problem.type() == ProblemType.PRIVATE_KEY_SENT;
    Map<String, Object> model = model(request, isExposed ? new Sent("", sent.profile(), "") : sent);
    model.put("refusal", problem.type().title());
    model.put("detail", isExposed ? EXPOSED : problem.detail());
    problem
        .retryAfter()
        .ifPresent(
            wait -> {
              long seconds = Problem.retryAfterSeconds(wait);
              response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
              model.put("retry", String.format(Locale.ROOT, "Try again in %d s.", seconds));
              model.put(KEY, sent.key());
            });
    write(request, response, problem.type().status(), model);
  }

  private static final String EXPOSED =
      "It has left its holder: make a new key and send its certification request alone. Nothing was"
          + " issued, and nothing of it was kept. Revoke what was issued for this key, with the"
          + " reason keyCompromise.";

  private static Map<String, Object> model(HttpServletRequest request, Sent sent) {
    List<String> profiles =
        SessionFilter.required(request).requester().profiles().stream()
            .map(ProfileName::value)
            .sorted()
            .toList();
    Map<String, Object> model = new HashMap<>();
    model.put("profiles", profiles);
    model.put(CSR, sent.csr());
    model.put(PROFILE, sent.profile());
    model.put("refusal", "");
    model.put("detail", "");
    model.put("retry", "");
    model.put(KEY, "");
    return model;
  }

  private void write(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      Map<String, Object> model)
      throws IOException {
    pages.write(request, response, status, TEMPLATE, model);
  }
}
