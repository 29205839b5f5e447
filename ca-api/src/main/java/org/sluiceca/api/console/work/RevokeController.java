package org.sluiceca.api.console.work;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.certificate.StatusBody;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.ConsoleTime;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.console.form.ConsoleForm;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.revocation.CertificateRevocations;
import org.sluiceca.api.revocation.RevocationController;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.RevocationReason;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Revoking a certificate: a form, a page that asks once more, and the act. */
@Controller
final class RevokeController {

  private static final String PATH = ConsolePaths.CERTIFICATES + "/{serial}/revocation";
  private static final String TEMPLATE = "revoke";

  /** The field that is there when the second page is sent. */
  private static final String CONFIRMED = "confirmed";

  private static final String REASON = "reason";
  private static final String SINCE = "since";

  /** What a person reads next to the standard's words. */
  record Choice(String label, String meaning) {}

  /** Those that a person has a use for here come first. */
  private static final List<Choice> CHOICES =
      List.of(
          new Choice("superseded", "a newer certificate took its place"),
          new Choice("keyCompromise", "others may hold its key"),
          new Choice("cessationOfOperation", "what it was for has ended"),
          new Choice("affiliationChanged", "its names or its holder's organization changed"),
          new Choice("privilegeWithdrawn", "its holder may no longer have it"),
          new Choice("certificateHold", "for a time: an officer can release it"),
          new Choice("unspecified", "no reason is given"));

  private final CertificateRevocations revocations;
  private final Pages pages;

  RevokeController(CertificateRevocations revocations, Pages pages) {
    this.revocations = revocations;
    this.pages = pages;
  }

  @GetMapping(PATH)
  void form(@PathVariable String serial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    LedgerEntry entry = revocable(request, serial);
    write(request, response, HttpServletResponse.SC_OK, model(entry, "", "", ""));
  }

  @PostMapping(PATH)
  void revoke(@PathVariable String serial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Requester requester = SessionFilter.required(request).requester();
    LedgerEntry entry = revocable(request, serial);
    ConsoleForm form = ConsoleForm.of(request);
    String reason = form.field(REASON);
    String since = form.field(SINCE).strip();
    try {
      RevocationReason chosen = RevocationController.reason(reason.isEmpty() ? null : reason);
      Optional<Instant> date = date(since).map(revocations::invalidSince);
      if (!form.field(CONFIRMED).equals("yes")) {
        Map<String, Object> model = model(entry, reason, since, "");
        model.put("asks", true);
        model.put("sinceText", date.map(ConsoleTime::text).orElse(""));
        model.put("isHold", chosen == RevocationReason.CERTIFICATE_HOLD);
        write(request, response, HttpServletResponse.SC_OK, model);
        return;
      }
      StatusBody _ = revocations.revoke(requester, serial, chosen, date);
      lead(response, entry);
    } catch (ProblemException e) {
      write(request, response, e.type().status(), model(entry, reason, since, e.detail()));
    }
  }

  /** Ends a hold. */
  @PostMapping(ConsolePaths.CERTIFICATES + "/{serial}/release")
  void release(
      @PathVariable String serial, HttpServletRequest request, HttpServletResponse response) {
    Requester requester = SessionFilter.required(request).requester();
    StatusBody released = revocations.release(requester, serial);
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(HttpHeaders.LOCATION, ConsolePaths.CERTIFICATES + "/" + released.serial());
  }

  private LedgerEntry revocable(HttpServletRequest request, String serial) {
    return revocations.revocable(SessionFilter.required(request).requester(), serial);
  }

  private static Map<String, Object> model(
      LedgerEntry entry, String reason, String since, String failure) {
    Map<String, Object> model = new HashMap<>();
    model.put("serial", entry.intent().serialNumber().hex());
    model.put("certificate", DecodedCertificate.of(entry.intent().tbsCertificate()));
    model.put("owner", entry.intent().origin().requester().value());
    model.put("choices", CHOICES);
    model.put(REASON, known(reason));
    model.put(SINCE, since);
    model.put("sinceText", "");
    model.put("isHold", false);
    model.put("failure", failure);
    model.put("asks", false);
    return model;
  }

  /** The second page sends the reason on: it is one of the standard's, whatever was sent. */
  private static String known(String reason) {
    return Arrays.stream(RevocationReason.values())
        .map(RevocationReason::label)
        .filter(reason::equals)
        .findFirst()
        .orElse("");
  }

  private void write(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      Map<String, Object> model)
      throws IOException {
    pages.write(request, response, status, TEMPLATE, model);
  }

  /** As a browser's field has it: without a zone, which is UTC here. */
  private static Optional<Instant> date(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "that is no time like 2026-01-31T12:00, in UTC");
    }
  }

  private static void lead(HttpServletResponse response, LedgerEntry entry) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(
        HttpHeaders.LOCATION,
        ConsolePaths.CERTIFICATES + "/" + entry.intent().serialNumber().hex());
  }
}
