package org.sluiceca.api.validation;

import java.util.List;
import java.util.regex.Pattern;
import org.sluiceca.core.registration.name.Identifier;

/**
 * What a client is to prove, and by which method.
 *
 * @param identifier of a wildcard the base name, without {@code *.}
 * @param wildcard whether the base name's wildcard is to be certified
 * @param token base64url of 128 bits or more (RFC 8555 8.1); empty for dns-persist-01
 * @param keyAuthorization the token, a period and the thumbprint of the account's key (RFC 8555
 *     8.1); empty for dns-persist-01
 * @param account of dns-persist-01 alone; the others do not read it
 */
public record Challenge(
    Method method,
    Identifier identifier,
    boolean wildcard,
    String token,
    String keyAuthorization,
    Account account) {

  /** Letters of base64url alone, so that no token can change a path; 256 are more than any. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{1,256}");

  /** Of a token, a period and a thumbprint. */
  private static final Pattern KEY_AUTHORIZATION =
      Pattern.compile("[A-Za-z0-9_-]{1,256}\\.[A-Za-z0-9_-]{1,128}");

  /**
   * @throws IllegalArgumentException if the method cannot prove this identifier, or token or key
   *     authorization have another form
   */
  public Challenge {
    if (!method.proves(identifier, wildcard)) {
      throw new IllegalArgumentException(
          method.text() + " proves no " + (wildcard ? "wildcard" : identifier.type()));
    }
    if (identifier instanceof Identifier.Dns dns && dns.isWildcard()) {
      throw new IllegalArgumentException("the base name is expected, not " + dns.name());
    }
    if (method != Method.DNS_PERSIST_01
        && !(TOKEN.matcher(token).matches()
            && KEY_AUTHORIZATION.matcher(keyAuthorization).matches()
            && keyAuthorization.startsWith(token + "."))) {
      throw new IllegalArgumentException("no token with its key authorization");
    }
  }

  /**
   * The account that asks.
   *
   * @param uri its URL at this CA (RFC 8555 7.1.2)
   * @param hashPrefix what stands before a hashed account URI at this CA
   *     (draft-ietf-acme-dns-persist-02 4.1)
   * @param keyThumbprints base64url of the SHA-256 JWK thumbprints (RFC 7638) of its keys, the
   *     present one first, then its earlier ones; a hashed account URI of any of them is accepted
   */
  public record Account(String uri, String hashPrefix, List<String> keyThumbprints) {

    public Account {
      keyThumbprints = List.copyOf(keyThumbprints);
    }
  }

  /** Returns the name as the owner of the machine knows it. */
  public String name() {
    return identifier.value();
  }
}
