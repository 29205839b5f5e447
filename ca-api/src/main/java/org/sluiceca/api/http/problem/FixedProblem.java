package org.sluiceca.api.http.problem;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A problem for what ends before the application sees it: in constant text, without a mapper. */
public final class FixedProblem {

  /** The media type of RFC 9457. */
  public static final String MEDIA_TYPE = Problem.MEDIA_TYPE;

  private FixedProblem() {}

  /**
   * Returns the body of a problem.
   *
   * @param detail a constant of this program, in ASCII without quotes and control characters
   */
  public static byte[] json(ProblemType type, String detail, String requestId) {
    return String.format(
            Locale.ROOT,
            "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\",\"requestId\":\"%s\"}",
            type.uri(),
            type.title(),
            type.status(),
            detail,
            requestId)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
