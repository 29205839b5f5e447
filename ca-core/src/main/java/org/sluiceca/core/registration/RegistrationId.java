package org.sluiceca.core.registration;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.core.x509.OctetString;

/**
 * The name of a request or an account: 16 octets from a CSPRNG, so that it cannot be guessed and
 * needs no coordination between nodes.
 */
public record RegistrationId(OctetString octets) {

  /** The length in octets. */
  public static final int OCTETS = 16;

  private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{21}[AQgw]");

  /** Refuses any other length. */
  public RegistrationId {
    if (octets.length() != OCTETS) {
      throw new IllegalArgumentException("an id of " + octets.length() + " octets");
    }
  }

  /** Reads the text form, 22 characters of base64url; empty if it is none. */
  public static Optional<RegistrationId> parse(String text) {
    return TEXT.matcher(text).matches()
        ? Optional.of(new RegistrationId(OctetString.copyOf(Base64.getUrlDecoder().decode(text))))
        : Optional.empty();
  }

  /** Returns the text form, which stands in URLs. */
  public String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets.octets());
  }

  @Override
  public String toString() {
    return text();
  }
}
