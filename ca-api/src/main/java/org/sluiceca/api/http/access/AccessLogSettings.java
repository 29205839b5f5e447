package org.sluiceca.api.http.access;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the access log has.
 *
 * @param lines which requests have a line
 * @param linesPerSecond 1 to 100,000; lines of answered requests, and as many of failed ones, that
 *     are written in a second; the rest is counted
 * @param clientAddress whether a line has the client's address, which is personal data
 */
public record AccessLogSettings(
    @DefaultValue("all") Lines lines,
    @DefaultValue("1000") int linesPerSecond,
    @DefaultValue("false") boolean clientAddress) {

  private static final int LINES_PER_SECOND_MAX = 100_000;

  /** Which requests have a line. */
  public enum Lines {
    /** Every request. */
    ALL,
    /** Requests with a status of 400 or more. */
    FAILURES,
    /** No request. */
    NONE
  }

  /** Validates. */
  public AccessLogSettings {
    if (linesPerSecond < 1 || linesPerSecond > LINES_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          "access-log.lines-per-second "
              + linesPerSecond
              + ": allowed 1 to 100,000; for no lines set access-log.lines to none");
    }
  }
}
