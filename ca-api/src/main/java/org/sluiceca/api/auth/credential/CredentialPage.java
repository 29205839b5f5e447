package org.sluiceca.api.auth.credential;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.auth.store.CredentialStore.Position;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;

/** Pages of the list of credentials: how many of them, and where one begins. */
final class CredentialPage {

  /** 300 bytes each: an answer of 300 KB. */
  static final int LIMIT_MAX = 1_000;

  private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,3}");

  /** Its parts are the position's, in turn. */
  private static final Pattern POSITION =
      Pattern.compile("([a-z0-9._-]{1,64})/([0-9]{1,18})/([0-9a-f-]{36})");

  private CredentialPage() {}

  /** Returns how many credentials a page has: 1 to {@link #LIMIT_MAX}, by default that many. */
  static int limit(@Nullable String text) {
    if (text == null) {
      return LIMIT_MAX;
    }
    if (!LIMIT.matcher(text).matches() || Integer.parseInt(text) > LIMIT_MAX) {
      throw malformed("limit must be a number from 1 to " + LIMIT_MAX);
    }
    return Integer.parseInt(text);
  }

  /** Returns where a page begins. A cursor is no secret: it only moves within the list. */
  static Position position(@Nullable String cursor) {
    if (cursor == null) {
      return Position.START;
    }
    try {
      Matcher parts =
          POSITION.matcher(
              new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.ISO_8859_1));
      if (parts.matches()) {
        return new Position(
            parts.group(1),
            Instant.EPOCH.plus(Long.parseLong(parts.group(2)), ChronoUnit.MICROS),
            UUID.fromString(parts.group(3)));
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw noCursor();
    }
    throw noCursor();
  }

  /** Returns the Link header that points to the page after this credential. */
  static String next(RegisteredCredential last, int limit) {
    String position =
        last.requester().value()
            + "/"
            + ChronoUnit.MICROS.between(Instant.EPOCH, last.createdAt())
            + "/"
            + last.id();
    return "</v1/credentials?limit="
        + limit
        + "&cursor="
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(position.getBytes(StandardCharsets.ISO_8859_1))
        + ">; rel=\"next\"";
  }

  private static ProblemException noCursor() {
    return malformed("the cursor is not one that an answer's Link header had: begin without one");
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }
}
