package org.sluiceca.load.drive;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What became of one request.
 *
 * @param request which it was
 * @param node that answered, or was asked last
 * @param dueNanos when it had to be sent, by {@link System#nanoTime}: latency counts from here
 * @param sentNanos when a thread took it up
 * @param doneNanos when the answer was there
 * @param status of HTTP, {@link #UNANSWERED} or {@link #UNSENT}
 * @param serial of a 201 or 202, in hexadecimal
 * @param retryAfterSeconds what the answer says, if it is a whole number of seconds
 * @param isResent whether a kept connection broke before under the same bytes: they may have been
 *     read, and the request recorded, by a node that died
 */
public record Exchange(
    Request request,
    int node,
    long dueNanos,
    long sentNanos,
    long doneNanos,
    int status,
    Optional<String> serial,
    OptionalInt retryAfterSeconds,
    boolean isResent) {

  /** The connection broke, or nothing came in time: whether it was recorded is not known. */
  public static final int UNANSWERED = 0;

  /** No connection was free: nothing was sent. */
  public static final int UNSENT = -1;

  /**
   * A request by its Idempotency-Key.
   *
   * @param attempt from 0
   */
  public record Request(String key, String phase, String requester, int attempt) {}

  /** Returns whether a certificate came. */
  public boolean isIssued() {
    return status == 201;
  }

  /** Returns whether the request was accepted, and its certificate comes later. */
  public boolean isPromised() {
    return status == 202;
  }

  /** Returns whether the service refused it for load or lack of a token. */
  public boolean isRefused() {
    return (status == 429) || (status == 503);
  }

  /** Returns whether the service said anything. */
  public boolean isAnswered() {
    return status > UNANSWERED;
  }

  /** Returns how long the client waited, from when the request was due. */
  public double latencyMillis() {
    return (doneNanos - dueNanos) / 1e6;
  }

  /** Returns how late the generator was. */
  public double lateMillis() {
    return (sentNanos - dueNanos) / 1e6;
  }
}
