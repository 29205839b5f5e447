package org.sluiceca.api.auth.oidc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.x509.OctetString;

/**
 * A token in the compact form of JWS (RFC 7515 7.1). Nothing in it is true before its signature was
 * verified. Of its header only {@code alg}, {@code kid}, {@code typ} and {@code crit} are looked
 * at: keys, and where they were to be had, are never taken from a token. Immutable.
 *
 * @param algorithm the value of {@code alg}, whatever it is
 * @param keyId the value of {@code kid}
 * @param claims what it says
 * @param signed the octets under the signature
 */
record Jwt(
    String algorithm,
    Optional<String> keyId,
    JsonObject claims,
    OctetString signed,
    OctetString signature) {

  /** With the rest of a request's header lines it fits into the 16 KB that the node reads. */
  static final int CHARACTERS_MAX = 8 * 1024;

  private static final int KEY_ID_CHARACTERS_MAX = 256;

  /** An access token says so (RFC 9068 2.1), or {@code JWT}, as most do, or nothing. */
  private static final Set<String> TYPES = Set.of("at+jwt", "application/at+jwt", "jwt");

  /** The token has no form that is taken here. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String fault) {
      super(fault, null, false, false);
    }

    String fault() {
      return String.valueOf(getMessage());
    }
  }

  static Jwt read(String token) throws Malformed {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3 || token.length() > CHARACTERS_MAX) {
      throw new Malformed("it is no signed JWT of at most " + CHARACTERS_MAX + " characters");
    }
    try {
      JsonObject header = JsonObject.read(octets(parts[0]), CHARACTERS_MAX);
      // RFC 7515 4.1.11: what must be understood is not.
      if (header.names().contains("crit")) {
        throw new Malformed("its header has crit, which is not supported");
      }
      Optional<String> type = header.optionalText("typ");
      if (type.isPresent() && !TYPES.contains(type.get().toLowerCase(Locale.ROOT))) {
        throw new Malformed("its typ is neither at+jwt nor JWT: send an access token");
      }
      Optional<String> keyId = header.optionalText("kid");
      if (keyId.isPresent() && keyId.get().length() > KEY_ID_CHARACTERS_MAX) {
        throw new Malformed("its kid has more than " + KEY_ID_CHARACTERS_MAX + " characters");
      }
      return new Jwt(
          header.text("alg"),
          keyId,
          JsonObject.read(octets(parts[1]), CHARACTERS_MAX),
          OctetString.copyOf((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII)),
          OctetString.copyOf(octets(parts[2])));
    } catch (JsonException e) {
      throw new Malformed("its JSON is not acceptable: " + e.fault());
    }
  }

  private static byte[] octets(String part) throws Malformed {
    return Base64Url.decode(part)
        .orElseThrow(() -> new Malformed("its parts are not base64url without padding"));
  }

  /** Returns the text at a path; empty if there is another value, or none. */
  Optional<String> text(List<String> path) {
    return value(path) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** Returns the texts at a path: one, those of a list, or the words of {@code scope}. */
  List<String> texts(List<String> path) {
    List<String> texts = new ArrayList<>();
    switch (value(path)) {
      case String text ->
          texts.addAll(
              path.equals(List.of("scope")) ? List.of(text.split(" ", -1)) : List.of(text));
      case List<?> list -> {
        for (Object element : list) {
          if (element instanceof String text) {
            texts.add(text);
          }
        }
      }
      case null, default -> {
        // No text.
      }
    }
    return texts;
  }

  /** Returns the seconds of a claim of time; empty without one. */
  Optional<Long> seconds(String claim) throws Malformed {
    try {
      return claims.optionalInteger(claim);
    } catch (JsonException e) {
      throw new Malformed("its " + e.fault());
    }
  }

  private @Nullable Object value(List<String> path) {
    Object value = claims.members();
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }
}
