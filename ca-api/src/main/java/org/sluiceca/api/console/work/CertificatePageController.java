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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.certificate.EntryAccess;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.enrollment.GivenUpOrder;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.share.FairPlaces;
import org.sluiceca.api.revocation.CertificateRevocations;
import org.sluiceca.api.revocation.store.SameKeyCertificates;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The page of a certificate, and its downloads. */
@Controller
final class CertificatePageController {

  private static final Logger LOG = LoggerFactory.getLogger(CertificatePageController.class);

  private static final String CERTIFICATE = ConsolePaths.CERTIFICATES + "/{serial}";

  private final EntryAccess entries;
  private final CertificateAnswer answers;
  private final RevocationStore revocations;
  private final SameKeyCertificates sameKey;
  private final ProtocolFacts protocols;
  private final Pages pages;
  private final InstantSource clock;

  /** Half of the connections that credentials and sessions are looked up on as well. */
  private final FairPlaces<RequesterId> looking = new FairPlaces<>(2);

  CertificatePageController(
      EntryAccess entries,
      CertificateAnswer answers,
      RevocationStore revocations,
      SameKeyCertificates sameKey,
      ProtocolFacts protocols,
      Pages pages,
      InstantSource clock) {
    this.entries = entries;
    this.answers = answers;
    this.revocations = revocations;
    this.sameKey = sameKey;
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
    Optional<List<String>> siblings = siblings(requester, entry.intent());
    model.put("siblings", siblings.orElse(List.of()));
    model.put("isLooked", siblings.isPresent());
    model.put("sha256", Digest.sha256(certificate.get().encoded()).toString());
    model.put("pem", CertificateAnswer.pem(certificate.get()));
    pages.write(request, response, "certificate", model);
  }

  /**
   * Looks for the others with its key, which costs the most of all that the page shows, and without
   * which it is of use; empty if too many look for theirs, or the ledger does not answer.
   */
  private Optional<List<String>> siblings(Requester requester, Intent intent) {
    if (!looking.take(requester.id())) {
      return Optional.empty();
    }
    try {
      return Optional.of(sameKey.of(intent).stream().map(SerialNumber::hex).toList());
    } catch (LedgerUnavailable e) {
      LOG.warn("the others with a key are not shown: {}", e.getMessage());
      return Optional.empty();
    } finally {
      looking.giveBack(requester.id());
    }
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
