package org.sluiceca.api.http;

import java.util.Optional;

/**
 * Marks that the request on this thread waits for more of its body: meanwhile its connection may be
 * closed in favour of others. On a thread that serves no connection the methods do nothing.
 */
public final class BodyWait {

  /**
   * How far a body is.
   *
   * @param requester as whom the request was authenticated; empty if it was not
   * @param sinceNanos when it was first read, of {@link System#nanoTime}
   * @param octets what has come of it
   */
  public record Body(Optional<String> requester, long sinceNanos, long octets) {

    /** Returns whether the request was authenticated. */
    public boolean hasCredential() {
      return requester.isPresent();
    }
  }

  /** The connection that a thread serves. */
  public interface Connection {

    /** The thread is about to wait; a wait that is one too many ends with a timeout. */
    void begin(Body body);

    /** The thread waits no longer. */
    void end();

    /** No more of the body is wanted: whatever would wait for it fails at once. */
    void cutInput();
  }

  /** Bound by the connector while a thread serves a connection. */
  public static final ScopedValue<Connection> CURRENT = ScopedValue.newInstance();

  private BodyWait() {}

  /** See {@link Connection#begin}. */
  public static void begin(Body body) {
    if (CURRENT.isBound()) {
      CURRENT.get().begin(body);
    }
  }

  /** See {@link Connection#end}. */
  public static void end() {
    if (CURRENT.isBound()) {
      CURRENT.get().end();
    }
  }

  /** See {@link Connection#cutInput}. */
  public static void cutInput() {
    if (CURRENT.isBound()) {
      CURRENT.get().cutInput();
    }
  }
}
