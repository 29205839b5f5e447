package org.sluiceca.api.validation.tls;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.validation.TimeLimit;

/**
 * Closes a socket when the attempt's time is over, and with itself. A time-out of the socket is no
 * limit, since it begins again with each octet that a slow machine sends.
 *
 * <p>A virtual thread waits; it ends with the guard. The connection's own socket is closed, not
 * TLS's on top of it, whose end would wait for the handshake.
 */
public final class Guard implements AutoCloseable {

  private final Socket socket;
  private final CountDownLatch isDone = new CountDownLatch(1);

  private Guard(Socket socket) {
    this.socket = socket;
  }

  /** Guards {@code socket}, connected or not, until {@code limit}. */
  public static Guard of(Socket socket, TimeLimit limit) {
    Guard guard = new Guard(socket);
    Thread.ofVirtual().name("validation-limit").start(() -> guard.waitFor(limit));
    return guard;
  }

  private void waitFor(TimeLimit limit) {
    try {
      if (!isDone.await(limit.left().toMillis(), TimeUnit.MILLISECONDS)) {
        closeSocket();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closeSocket();
    }
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed for the reader all the same.
    }
  }

  @Override
  public void close() {
    isDone.countDown();
    closeSocket();
  }
}
