package org.sluiceca.api.validation.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A machine on a loopback address that answers each connection as a test says. */
final class RawServer implements AutoCloseable {

  /** Speaks to one client; the socket is closed behind it. */
  interface Conversation {
    void with(Socket socket) throws IOException;
  }

  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  private final ServerSocket server;
  private final Conversation conversation;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<Thread> conversations = new CopyOnWriteArrayList<>();

  private RawServer(ServerSocket server, Conversation conversation) {
    this.server = server;
    this.conversation = conversation;
  }

  static RawServer start(ServerSocket server, Conversation conversation) {
    RawServer raw = new RawServer(server, conversation);
    Thread.ofVirtual().start(raw::serve);
    return raw;
  }

  static RawServer on(String address, Conversation conversation) throws IOException {
    return start(new ServerSocket(0, 50, InetAddress.ofLiteral(address)), conversation);
  }

  int port() {
    return server.getLocalPort();
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        Thread thread = Thread.ofVirtual().unstarted(() -> speak(socket));
        conversations.add(thread);
        thread.start();
      } catch (IOException _) {
        // Closed by the test.
      }
    }
  }

  private void speak(Socket socket) {
    try (socket) {
      conversation.with(socket);
    } catch (IOException _) {
      // The validator has closed it.
    }
  }

  /** Waits until the conversations have ended that clients have had an answer in. */
  void awaitEnds() {
    try {
      for (Thread thread : conversations) {
        if (!thread.join(END_LIMIT)) {
          throw new IllegalStateException("a conversation has not ended after " + END_LIMIT);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  /** A request of HTTP, with the names of its fields in lower case. */
  record Request(String line, Map<String, String> fields) {

    static Request read(Socket socket) throws IOException {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String line = in.readLine();
      Map<String, String> fields = new ConcurrentHashMap<>();
      for (String field = in.readLine(); field != null && !field.isEmpty(); field = in.readLine()) {
        int colon = field.indexOf(':');
        fields.put(
            field.substring(0, colon).toLowerCase(Locale.ROOT), field.substring(colon + 1).strip());
      }
      return new Request(String.valueOf(line), fields);
    }
  }

  static void send(Socket socket, String... lines) throws IOException {
    socket
        .getOutputStream()
        .write(
            List.of(lines).stream()
                .collect(Collectors.joining("\r\n"))
                .getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }
}
