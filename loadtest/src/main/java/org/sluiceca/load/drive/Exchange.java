package org.sluiceca.load.drive;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.load.plan.Offer.Kind;

/**
 * What became of one request.
 *
 * @param request which it was
 * @param node that answered, or was asked last
 * @param dueNanos when it had to be sent, by {@link System#nanoTime}: latency counts from here
 * @param startedNanos when its thread, or its virtual user, came to life
 * @param sentNanos when a thread took it up
 * @param doneNanos when the answer was there
 * @param status of HTTP, {@link #UNANSWERED} or {@link #UNSENT}
 * @param serial of a 201 or 202, or of the certificate that it is about, in hexadecimal
 * @param retryAfterSeconds what the answer says, if it is a whole number of seconds
 * @param isResent whether a kept connection broke before under the same bytes: they may have been
 *     read, and the request recorded, by a node that died
 * @param problem the last part of the problem's type; empty if there is none, or none was read
 */
@JsonAutoDetect(isGetterVisibility = Visibility.NONE)
public record Exchange(
    Request request,
    int node,
    long dueNanos,
    long startedNanos,
    long sentNanos,
    long doneNanos,
    int status,
    Optional<String> serial,
    OptionalInt retryAfterSeconds,
    boolean isResent,
    String problem) {

  /** The connection broke, or nothing came in time: whether it was recorded is not known. */
  public static final int UNANSWERED = 0;

  /** No connection was free: nothing was sent. */
  public static final int UNSENT = -1;

  /**
   * A request.
   *
   * @param key its Idempotency-Key; empty if it issues nothing
   * @param attempt from 0
   */
  public record Request(Kind kind, String key, String phase, String requester, int attempt) {

    /** One that enrolls. */
    public Request(String key, String phase, String requester, int attempt) {
      this(Kind.ENROLL, key, phase, requester, attempt);
    }
  }

  /** One whose thread came to life to send it. */
  public Exchange(
      Request request,
      int node,
      long dueNanos,
      long sentNanos,
      long doneNanos,
      int status,
      Optional<String> serial,
      OptionalInt retryAfterSeconds,
      boolean isResent) {
    this(
        request,
        node,
        dueNanos,
        sentNanos,
        sentNanos,
        doneNanos,
        status,
        serial,
        retryAfterSeconds,
        isResent,
        "");
  }

  /** Returns what was asked for. */
  public Kind kind() {
    return request.kind();
  }

  /** Returns whether the answer is what was asked for. */
  public boolean isServed() {
    return kind().isIssuance() ? isIssued() : status == 200;
  }

  /** Returns whether the service refused it, and said when to come again. */
  public boolean isRefusedWell() {
    return isRefused() && retryAfterSeconds.orElse(0) > 0;
  }

  /** Returns how late its virtual user came to life; 0 if it was in time. */
  public double startedLateMillis() {
    return Math.max(0, (startedNanos - dueNanos) / 1e6);
  }

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
