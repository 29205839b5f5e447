package org.sluiceca.api.console.work;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.certificate.EntryAccess;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.enrollment.GivenUpOrder;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.revocation.CertificateRevocations;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.RevocationReason;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The page of a certificate, and its downloads. */
@Controller
final class CertificatePageController {

  private static final String CERTIFICATE = ConsolePaths.CERTIFICATES + "/{serial}";

  private final EntryAccess entries;
  private final CertificateAnswer answers;
  private final RevocationStore revocations;
  private final Siblings siblings;
  private final ProtocolFacts protocols;
  private final Pages pages;
  private final InstantSource clock;

  CertificatePageController(
      EntryAccess entries,
      CertificateAnswer answers,
      RevocationStore revocations,
      Siblings siblings,
      ProtocolFacts protocols,
      Pages pages,
      InstantSource clock) {
    this.entries = entries;
    this.answers = answers;
    this.revocations = revocations;
    this.siblings = siblings;
    this.protocols = protocols;
    this.pages = pages;
    this.clock = clock;
  }

  @GetMapping(CERTIFICATE)
  void show(@PathVariable String serial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Requester requester = SessionFilter.required(request).requester();
    LedgerEntry entry = entries.visibleTo(requester, serial);
    Map<String, Object> model = new HashMap<>();
    model.put("serial", entry.intent().serialNumber().hex());
    model.put("certificate", DecodedCertificate.of(entry.intent().tbsCertificate()));
    Optional<CertificateDer> certificate = entry.certificate();
    if (certificate.isEmpty()) {
      model.put("failure", entry.outcome().map(CertificatePageController::failure).orElse(""));
      pages.write(request, response, "order", model);
      return;
    }
    Optional<Revocation> revocation =
        revocations.status(entry.intent().serialNumber()).revocation();
    boolean isOnHold =
        revocation.map(r -> r.reason() == RevocationReason.CERTIFICATE_HOLD).orElse(false);
    model.put("ledger", LedgerFacts.of(entry, revocation, notAfter(entry), clock.instant()));
    model.put(
        "mayRevoke", EntryAccess.mayDecide(requester, entry) && (revocation.isEmpty() || isOnHold));
    model.put("mayRelease", isOnHold && CertificateRevocations.mayRelease(requester));
    model.put("protocol", protocols.of(requester, entry.intent().serialNumber()));
    Optional<List<String>> sameKey = siblings.of(requester.id(), entry.intent());
    model.put("siblings", sameKey.orElse(List.of()));
    model.put("isLooked", sameKey.isPresent());
    model.put("sha256", Digest.sha256(certificate.get().encoded()).toString());
    model.put("pem", CertificateAnswer.pem(certificate.get()));
    pages.write(request, response, "certificate", model);
  }

  /** In one of three forms: the chain as PEM, the certificate as DER, the chain as PKCS#7. */
  @GetMapping(CERTIFICATE + "/download/{form}")
  void download(
      @PathVariable String serial,
      @PathVariable String form,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    LedgerEntry entry = entries.visibleTo(SessionFilter.required(request).requester(), serial);
    CertificateDer certificate = issued(entry);
    CertificateAnswer.Download file =
        answers
            .download(form, entry.intent(), certificate)
            .orElseThrow(
                () -> new ProblemException(ProblemType.NOT_FOUND, "There is no such form."));
    response.setContentType(file.mediaType().toString());
    response.setHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        "attachment; filename=\"" + entry.intent().serialNumber().hex() + "." + form + "\"");
    response.getOutputStream().write(file.octets().octets());
  }

  private static String failure(Outcome outcome) {
    return outcome instanceof Outcome.Abandoned abandoned
        ? GivenUpOrder.describe(abandoned.reason())
        : "";
  }

  private static CertificateDer issued(LedgerEntry entry) {
    return entry
        .certificate()
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND, "No certificate was issued under this serial yet."));
  }

  private static Instant notAfter(LedgerEntry entry) {
    try {
      return CertificateReader.validity(entry.intent().tbsCertificate()).notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own TBSCertificate does not parse", e);
    }
  }
}
