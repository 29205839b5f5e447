package org.sluiceca.api.platform.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;

/** A server that takes connections at once, and begins each one's login after a delay. */
final class SlowLogins implements AutoCloseable {

  private final Address behind;
  private final URI server;
  private final Duration delay;
  private final ServerSocket door;
  private final CountDownLatch closed = new CountDownLatch(1);

  SlowLogins(Address behind, Duration delay) throws IOException {
    this.behind = behind;
    this.server = URI.create(behind.url().substring("jdbc:".length()));
    this.delay = delay;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::take);
  }

  /** Returns the same database, through this door. */
  Address address() {
    String here = "127.0.0.1:" + door.getLocalPort();
    return new Address(
        behind.url().replace(server.getHost() + ":" + server.getPort(), here),
        behind.user(),
        behind.passwordFile());
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    door.close();
  }

  private void take() {
    try {
      while (true) {
        Socket client = door.accept();
        Thread.startVirtualThread(() -> serve(client));
      }
    } catch (IOException e) {
      // The door is closed.
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket there = new Socket()) {
      if (closed.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      there.connect(new InetSocketAddress(server.getHost(), server.getPort()), 60_000);
      Thread.startVirtualThread(() -> pass(there, client));
      pass(client, there);
    } catch (IOException e) {
      // One of both has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pass(Socket from, Socket to) {
    try (to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of both has gone.
    }
  }
}
