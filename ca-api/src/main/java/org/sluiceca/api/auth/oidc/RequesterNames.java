package org.sluiceca.api.auth.oidc;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.request.RequesterId;

/**
 * Names users of a provider: the prefix and the claim's value, of which what a requester's id
 * cannot hold is written as {@code _} and two hexadecimal digits for each octet of UTF-8. Two
 * values never have one name. Pure.
 */
final class RequesterNames {

  private RequesterNames() {}

  /** Returns the id of a user; empty if it would be too long, or is reserved. */
  static Optional<RequesterId> of(String prefix, String value) {
    StringBuilder id = new StringBuilder(prefix);
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      boolean isPlain =
          (octet >= 'a' && octet <= 'z')
              || (octet >= '0' && octet <= '9')
              || octet == '-'
              || octet == '.';
      // An id begins with a letter or a digit.
      if (isPlain && (!id.isEmpty() || Character.isLetterOrDigit(octet))) {
        id.append((char) octet);
      } else {
        id.append(String.format(Locale.ROOT, "_%02x", octet));
      }
    }
    if (value.isEmpty() || OidcProvider.isReserved(id.toString())) {
      return Optional.empty();
    }
    try {
      return Optional.of(new RequesterId(id.toString()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
