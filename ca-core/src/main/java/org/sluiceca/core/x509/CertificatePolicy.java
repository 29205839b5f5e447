package org.sluiceca.core.x509;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One entry of certificatePolicies (RFC 5280 4.2.1.4).
 *
 * @param oid the policyIdentifier in dotted form
 * @param cpsUri where the certification practice statement is
 * @param userNotice the explicitText, which has 1 to 200 characters
 */
public record CertificatePolicy(String oid, Optional<String> cpsUri, Optional<String> userNotice) {

  /** RFC 5280 4.2.1.4: DisplayText has SIZE (1..200). */
  public static final int EXPLICIT_TEXT_MAX = 200;

  /** As long as a URI in this CA's certificates may be. */
  private static final int URI_MAX = 512;

  public CertificatePolicy {
    Oids.check(oid);
    cpsUri.ifPresent(
        uri -> {
          if (uri.length() > URI_MAX
              || !uri.matches("https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/[!-~]*)?")) {
            throw new IllegalArgumentException("policy " + oid + ": not an http URI: " + uri);
          }
        });
    userNotice.ifPresent(
        text -> {
          int length = text.codePointCount(0, text.length());
          // RFC 5280 4.2.1.4: explicitText SHOULD have no control characters.
          if (length < 1
              || length > EXPLICIT_TEXT_MAX
              || text.codePoints().anyMatch(Character::isISOControl)
              || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "policy %s: userNotice of %d characters, allowed 1 to %d, no control characters",
                    oid,
                    length,
                    EXPLICIT_TEXT_MAX));
          }
        });
  }
}
