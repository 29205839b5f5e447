package org.sluiceca.api.platform.store;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;

/** Stands before a database, and does to a login what a proxy or a pooler may do to it. */
final class DatabaseProxy implements AutoCloseable {

  /** The first of the codes that stand in the place of a protocol's version. */
  private static final int ENCRYPTION_ASKED = 1234 << 16;

  private final Address behind;
  private final URI server;
  private final Login login;
  private final Optional<String> version;
  private final ServerSocket door;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What is done before octets are passed in both directions. */
  @FunctionalInterface
  private interface Login {
    void begin(Socket client, Socket server, CountDownLatch closed)
        throws IOException, InterruptedException;
  }

  private DatabaseProxy(Address behind, Login login, Optional<String> version) throws IOException {
    this.behind = behind;
    this.server = URI.create(behind.url().substring("jdbc:".length()));
    this.login = login;
    this.version = version;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::take);
  }

  /** Takes connections at once, and begins each one's login after a delay. */
  static DatabaseProxy slow(Address behind, Duration delay) throws IOException {
    return new DatabaseProxy(
        behind,
        (_, server, closed) -> {
          if (closed.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
            server.close();
          }
        },
        Optional.empty());
  }

  /** Leaves out the startup parameter {@code options}, as poolers may be configured to. */
  static DatabaseProxy withoutOptions(Address behind) throws IOException {
    return new DatabaseProxy(
        behind, (client, server, _) -> passStartup(client, server), Optional.empty());
  }

  /** The same before a server that calls itself this version. */
  static DatabaseProxy withoutOptions(Address behind, String version) throws IOException {
    return new DatabaseProxy(
        behind, (client, server, _) -> passStartup(client, server), Optional.of(version));
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
      there.connect(new InetSocketAddress(server.getHost(), server.getPort()), 60_000);
      login.begin(client, there, closed);
      Thread.startVirtualThread(() -> pass(client, there));
      if (version.isPresent()) {
        passVersion(there, client, version.get());
      }
      pass(there, client);
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

  private static void passStartup(Socket client, Socket server) throws IOException {
    ByteBuffer startup = readStartup(client);
    byte[] kept = withoutOptions(startup);
    DataOutputStream out = new DataOutputStream(server.getOutputStream());
    out.writeInt(2 * Integer.BYTES + kept.length);
    out.writeInt(startup.getInt(0));
    out.write(kept);
    out.flush();
  }

  /**
   * Reads what a client begins with, the protocol's version and its parameters, and answers no to
   * any wish for encryption.
   */
  static ByteBuffer readStartup(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    ByteBuffer startup = ByteBuffer.wrap(in.readNBytes(in.readInt() - Integer.BYTES));
    while (startup.getInt(0) >= ENCRYPTION_ASKED) {
      client.getOutputStream().write('N');
      startup = ByteBuffer.wrap(in.readNBytes(in.readInt() - Integer.BYTES));
    }
    return startup;
  }

  /** Names and values, each with a zero behind it, and another zero at the end. */
  private static byte[] withoutOptions(ByteBuffer startup) {
    String[] words =
        StandardCharsets.UTF_8
            .decode(startup.slice(Integer.BYTES, startup.limit() - Integer.BYTES))
            .toString()
            .split("\0", -1);
    StringBuilder kept = new StringBuilder();
    for (int i = 0; !words[i].isEmpty(); i += 2) {
      if (!words[i].equals("options")) {
        kept.append(words[i]).append('\0').append(words[i + 1]).append('\0');
      }
    }
    return kept.append('\0').toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Passes the server's messages up to the one that ends the login. */
  private static void passVersion(Socket server, Socket client, String version) throws IOException {
    DataInputStream in = new DataInputStream(server.getInputStream());
    DataOutputStream out = new DataOutputStream(client.getOutputStream());
    byte type = 0;
    while (type != 'Z') {
      type = in.readByte();
      byte[] message = in.readNBytes(in.readInt() - Integer.BYTES);
      if (new String(message, StandardCharsets.UTF_8).startsWith("server_version\0")) {
        message = ("server_version\0" + version + "\0").getBytes(StandardCharsets.UTF_8);
      }
      out.writeByte(type);
      out.writeInt(Integer.BYTES + message.length);
      out.write(message);
      out.flush();
    }
  }
}
