package org.sluiceca.api.http.connector.evict;

/** Lets an asynchronous answer end its connection when its client does not read. */
public final class ConnectionCut {

  /** Bound by the connector while a thread serves a connection. */
  public static final ScopedValue<Runnable> CURRENT = ScopedValue.newInstance();

  private ConnectionCut() {}

  /**
   * Returns what closes the connection that this thread serves, by any thread and without waiting
   * for what is unwritten. On a thread that serves no connection it does nothing. To be asked for
   * before the answer is asynchronous, and to be run only while it is: then the connection serves
   * no other request.
   */
  public static Runnable ofThisConnection() {
    return CURRENT.isBound() ? CURRENT.get() : () -> {};
  }
}
