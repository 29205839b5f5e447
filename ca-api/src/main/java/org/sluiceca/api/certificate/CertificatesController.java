package org.sluiceca.api.certificate;

import java.util.List;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.CertificateDer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /v1/certificates/{serial}}: reading what was enrolled, straight from the ledger. */
@RestController
final class CertificatesController {

  private final EntryAccess entries;
  private final CertificateAnswer answers;
  private final RevocationStore revocations;

  CertificatesController(
      EntryAccess entries, CertificateAnswer answers, RevocationStore revocations) {
    this.entries = entries;
    this.answers = answers;
    this.revocations = revocations;
  }

  @GetMapping("/v1/certificates/{serial}")
  ResponseEntity<Object> get(
      @AuthenticationPrincipal Requester requester,
      @PathVariable String serial,
      @RequestHeader HttpHeaders headers) {
    List<String> lines = headers.get(HttpHeaders.ACCEPT);
    MediaType type = CertificateAnswer.negotiate(lines == null ? null : String.join(",", lines));
    LedgerEntry entry = entries.visibleTo(requester, serial);
    CertificateDer certificate =
        entry
            .certificate()
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.NOT_FOUND, "no certificate was issued under this serial yet"));
    return answers.writeWithStatus(
        type,
        entry,
        certificate,
        () -> StatusBody.of(entry, revocations.status(entry.intent().serialNumber()).revocation()));
  }
}
