package org.sluiceca.api.validation.dns;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.Sha256;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;

/** Validates dns-01 (RFC 8555 8.4). */
public final class Dns01Validator {

  private static final String LABEL = "_acme-challenge.";

  private Dns01Validator() {}

  /**
   * Looks for the record. Blocks until the client's limit at most.
   *
   * @throws ValidationException if it is not there
   */
  public static Verdict.Valid validate(Challenge challenge, DnsClient dns)
      throws ValidationException {
    String name = LABEL + challenge.name();
    String expected = recordOf(challenge.keyAuthorization());
    for (TxtLookup.Texts seen : TxtLookup.at(dns, name)) {
      if (seen.texts().isEmpty()) {
        throw new ValidationException(
            Verdict.Kind.UNAUTHORIZED,
            "there is no TXT record at "
                + name
                + " as name server "
                + seen.server()
                + " sees it; expected is "
                + expected);
      }
      if (!seen.texts().contains(expected)) {
        throw new ValidationException(
            Verdict.Kind.INCORRECT_RESPONSE,
            "none of the "
                + seen.texts().size()
                + " TXT records at "
                + name
                + " as name server "
                + seen.server()
                + " sees it is the one expected, "
                + expected);
      }
    }
    return new Verdict.Valid("TXT at " + name, Optional.empty());
  }

  private static String recordOf(String keyAuthorization) {
    byte[] digest = Sha256.of(keyAuthorization.getBytes(StandardCharsets.US_ASCII));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
  }
}
