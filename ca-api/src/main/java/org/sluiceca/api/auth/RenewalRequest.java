package org.sluiceca.api.auth;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.util.UriUtils;

/** Recognizes requests for the renewal of one certificate, by method, path and header. */
final class RenewalRequest {

  /** The header by which a request authenticates itself, verified with the body. */
  static final String PROOF = "Sluice-Proof";

  private static final Pattern PATH = Pattern.compile("/v1/certificates/([^/]{1,400})/renewal");

  private static final String POST = "POST";

  private RenewalRequest() {}

  /** Returns the serial number that the path names; empty if the request is not for a renewal. */
  static Optional<String> serialNumber(HttpServletRequest request) {
    Matcher path = PATH.matcher(request.getRequestURI());
    return request.getMethod().equals(POST) && path.matches()
        ? Optional.of(UriUtils.decode(path.group(1), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Returns whether it is for a renewal and carries a proof in place of a credential. */
  static boolean isProven(HttpServletRequest request) {
    return request.getHeader(PROOF) != null && serialNumber(request).isPresent();
  }
}
