package org.sluiceca.client.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy on the loopback address that knows CONNECT and nothing else. Whatever host is asked for,
 * it connects to the loopback address: so names lead to services of a test.
 */
final class ConnectProxy implements AutoCloseable {
  private static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<String> heads = Collections.synchronizedList(new ArrayList<>());
  private volatile String answer = ESTABLISHED;

  ConnectProxy() throws IOException {
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** From now on it answers so and ends the connection; an empty answer never comes. */
  void answers(String text) {
    answer = text;
  }

  /** Each request's head. */
  List<String> heads() {
    return List.copyOf(heads);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try {
      String head = head(client.getInputStream());
      heads.add(head);
      String text = answer;
      if (text.isEmpty()) {
        return;
      }
      client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      if (!text.equals(ESTABLISHED)) {
        client.close();
        return;
      }
      String target = head.split(" ", 3)[1];
      int port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
      try (Socket node = new Socket(InetAddress.getLoopbackAddress(), port)) {
        open.add(node);
        Thread back = Thread.ofVirtual().start(() -> copy(node, client));
        copy(client, node);
        back.join();
      }
    } catch (IOException | InterruptedException e) {
      close(client);
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int octet = in.read();
      if (octet < 0) {
        throw new IOException("no head");
      }
      head.append((char) octet);
    }
    return head.toString();
  }

  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // One end has gone: the other follows.
    }
    close(from);
    close(to);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed as far as it can be.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(ConnectProxy::close);
  }
}
