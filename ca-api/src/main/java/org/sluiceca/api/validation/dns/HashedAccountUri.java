package org.sluiceca.api.validation.dns;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.sluiceca.api.validation.Sha256;

/** The account of a record without its URL in clear (draft-ietf-acme-dns-persist-02 4.1). */
public final class HashedAccountUri {

  /** In place of the domain in a record that is the same for each domain. */
  static final String ANY_DOMAIN = "*";

  /** RFC 6920 9.4. */
  private static final String ALGORITHM = "sha-256/";

  private HashedAccountUri() {}

  /**
   * Returns the URI.
   *
   * @param prefix of the directory's {@code accountHashPrefix}
   * @param domain at which the record is, of at most 253 characters in lower case, or {@code *}
   * @param keyThumbprint base64url, as a key authorization has it
   * @param accountUrl of the account at this CA
   */
  public static String of(String prefix, String domain, String keyThumbprint, String accountUrl) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    octets.write(domain.length());
    octets.writeBytes((domain + keyThumbprint + accountUrl).getBytes(StandardCharsets.US_ASCII));
    return prefix
        + ALGORITHM
        + Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(octets.toByteArray()));
  }
}
