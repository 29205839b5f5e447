package org.sluiceca.blackbox;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between one node and PostgreSQL, understands just enough of the protocol to see what a
 * transaction inserts and when it commits, and lets a test strike at exactly that point.
 */
final class DatabaseProxy implements AutoCloseable {

  /*
   * Frontend and backend messages: a type octet, a length that counts itself, a body (PostgreSQL
   * documentation, 54.7). Before the StartupMessage the frontend's have no type; the server answers
   * its SSLRequest by one octet. A statement is known by its text in Parse or, prepared earlier, by
   * its name in Bind; the server begins with what was bound when Sync follows. A connection has two
   * threads, which are no virtual ones: those of the load must not be able to hold them up.
   */

  /** Which insert the transaction holds. */
  enum Holds {
    INTENT("INSERT INTO intent "),
    OUTCOME("INSERT INTO outcome ");

    private final String text;

    Holds(String text) {
      this.text = text;
    }
  }

  /** When to strike. */
  enum When {
    /** The COMMIT has left the node and never reaches the server. */
    COMMIT_UNSENT,
    /** The COMMIT is on its way to the server; what becomes of it is open. */
    COMMIT_SENT,
    /** The server has committed; its answer never reaches the node. */
    COMMIT_ANSWERED
  }

  private record Arm(Holds holds, When when, Runnable strike) {}

  private static final String COMMIT = "COMMIT";
  private static final String ROLLBACK = "ROLLBACK";
  private static final byte QUERY = 'Q';
  private static final byte SYNC = 'S';
  private static final int SSL_REQUEST = 80877103;
  private static final int MESSAGE_MAX = 64 << 20;

  private final ServerSocket door;
  private final IntSupplier serverPort;
  private final AtomicReference<@Nullable Arm> armed = new AtomicReference<>();
  private final Map<Socket, Boolean> sockets = new ConcurrentHashMap<>();

  private DatabaseProxy(ServerSocket door, IntSupplier serverPort) {
    this.door = door;
    this.serverPort = serverPort;
  }

  /** Listens on a free port and forwards to PostgreSQL's, which is asked for at each connection. */
  static DatabaseProxy to(IntSupplier serverPort) {
    try {
      DatabaseProxy proxy =
          new DatabaseProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), serverPort);
      Thread.ofPlatform().daemon().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return door.getLocalPort();
  }

  /** Strikes once, at the next commit of a transaction that holds such rows. */
  void arm(Holds holds, When when, Runnable strike) {
    armed.set(new Arm(holds, when, strike));
  }

  boolean hasStruck() {
    return armed.get() == null;
  }

  @Override
  public void close() {
    try {
      door.close();
      for (Socket socket : sockets.keySet()) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    try {
      while (true) {
        converse(door.accept());
      }
    } catch (IOException e) {
      if (!door.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void converse(Socket node) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort.getAsInt());
      sockets.put(node, true);
      sockets.put(server, true);
      Conversation conversation = new Conversation(node, server);
      Thread.ofPlatform().daemon().start(conversation::forwardRequests);
      Thread.ofPlatform().daemon().start(conversation::forwardAnswers);
    } catch (IOException e) {
      // PostgreSQL is away: so it looks to the node, too.
      node.close();
    }
  }

  /** One connection of the node. */
  private final class Conversation {
    private final Socket node;
    private final Socket server;
    private final Map<String, String> statements = new ConcurrentHashMap<>();
    private final Map<Holds, Boolean> inTransaction = new ConcurrentHashMap<>();
    private volatile boolean isTyped;

    Conversation(Socket node, Socket server) {
      this.node = node;
      this.server = server;
    }

    void forwardRequests() {
      try (node;
          server) {
        var in = new DataInputStream(new BufferedInputStream(node.getInputStream()));
        var out = new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
        while (!isTyped) {
          byte[] body = body(in);
          isTyped = int32(body) != SSL_REQUEST;
          out.writeInt(body.length + Integer.BYTES);
          out.write(body);
          out.flush();
        }
        boolean isCommitting = false;
        while (true) {
          byte type = in.readByte();
          byte[] body = body(in);
          isCommitting |= isCommit(type, body);
          if (isCommitting && strike(When.COMMIT_UNSENT)) {
            return;
          }
          out.writeByte(type);
          out.writeInt(body.length + Integer.BYTES);
          out.write(body);
          boolean isSent = type == SYNC || type == QUERY;
          if (isSent || in.available() == 0) {
            out.flush();
          }
          if (isCommitting && isSent) {
            isCommitting = false;
            strike(When.COMMIT_SENT);
          }
        }
      } catch (IOException e) {
        end();
      }
    }

    void forwardAnswers() {
      try (node;
          server) {
        var in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        var out = new DataOutputStream(new BufferedOutputStream(node.getOutputStream()));
        while (true) {
          byte type = in.readByte();
          if (!isTyped) {
            // The one octet that answers an SSLRequest.
            out.writeByte(type);
            out.flush();
            continue;
          }
          byte[] body = body(in);
          String completed = type == 'C' ? text(body, 0) : "";
          if (completed.equals(COMMIT) && strike(When.COMMIT_ANSWERED)) {
            return;
          }
          if (completed.equals(COMMIT) || completed.equals(ROLLBACK)) {
            inTransaction.clear();
          }
          out.writeByte(type);
          out.writeInt(body.length + Integer.BYTES);
          out.write(body);
          if (in.available() == 0) {
            out.flush();
          }
        }
      } catch (IOException e) {
        end();
      }
    }

    /** Notes what a request executes; returns whether it is the COMMIT. */
    private boolean isCommit(byte type, byte[] body) {
      return switch (type) {
        case 'P' -> {
          String name = text(body, 0);
          statements.put(name, text(body, name.length() + 1));
          yield false;
        }
        case 'B' -> {
          String portal = text(body, 0);
          String sql = statements.getOrDefault(text(body, portal.length() + 1), "");
          for (Holds holds : Holds.values()) {
            if (sql.contains(holds.text)) {
              inTransaction.put(holds, true);
            }
          }
          // The driver keeps the blanks between the statements of a message.
          yield sql.strip().equals(COMMIT);
        }
        case QUERY -> text(body, 0).equals(COMMIT);
        default -> false;
      };
    }

    private boolean strike(When when) {
      Arm arm = armed.get();
      if (arm == null
          || arm.when() != when
          || !inTransaction.containsKey(arm.holds())
          || !armed.compareAndSet(arm, null)) {
        return false;
      }
      arm.strike().run();
      return true;
    }

    private void end() {
      sockets.remove(node);
      sockets.remove(server);
    }
  }

  private static byte[] body(DataInputStream in) throws IOException {
    int length = in.readInt() - Integer.BYTES;
    if (length < 0 || length > MESSAGE_MAX) {
      throw new EOFException("a message of " + length + " octets");
    }
    return in.readNBytes(length);
  }

  private static int int32(byte[] body) {
    return ByteBuffer.wrap(body).getInt();
  }

  private static String text(byte[] body, int from) {
    int end = from;
    while (end < body.length && body[end] != 0) {
      end++;
    }
    return new String(Arrays.copyOfRange(body, from, end), StandardCharsets.UTF_8);
  }
}
