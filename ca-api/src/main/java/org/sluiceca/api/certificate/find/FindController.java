package org.sluiceca.api.certificate.find;

import org.sluiceca.core.request.Requester;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /v1/certificates}: certificates page by page. */
@RestController
final class FindController {

  private final CertificateFinder finder;

  FindController(CertificateFinder finder) {
    this.finder = finder;
  }

  @GetMapping(path = "/v1/certificates", produces = MediaType.APPLICATION_JSON_VALUE)
  CertificateFinder.PageBody find(
      @AuthenticationPrincipal Requester requester,
      @RequestParam MultiValueMap<String, String> parameters) {
    return finder.find(requester, parameters);
  }
}
