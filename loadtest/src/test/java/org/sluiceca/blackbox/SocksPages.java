package org.sluiceca.blackbox;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * A SOCKS 5 proxy on loopback (RFC 1928) that connects to nothing: whatever address its client
 * wants, it answers HTTP itself. It ends with the tests' JVM.
 */
final class SocksPages {

  /** A client that sends nothing delays the next one by this. */
  private static final int READ_MILLISECONDS = 5000;

  private static final int VERSION = 5;
  private static final int IPV4 = 1;
  private static final int IPV4_OCTETS = 4;

  private final ServerSocket socket;
  private final Map<String, String> pages = new ConcurrentHashMap<>();
  private final Set<String> targets = new ConcurrentSkipListSet<>();

  SocksPages() {
    try {
      socket = new ServerSocket(Ports.NODES.free(1), 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("SOCKS pages").start(this::serve);
  }

  int port() {
    return socket.getLocalPort();
  }

  void page(String path, String content) {
    pages.put(path, content);
  }

  /** {@code ADDRESS:PORT} of each machine that clients wanted to reach. */
  List<String> targets() {
    return List.copyOf(targets);
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        client.setSoTimeout(READ_MILLISECONDS);
        answer(client);
      } catch (IOException e) {
        // The client went away: the next one.
      }
    }
  }

  private void answer(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    var out = client.getOutputStream();
    require(in.readUnsignedByte() == VERSION);
    in.skipNBytes(in.readUnsignedByte());
    out.write(new byte[] {VERSION, 0});
    in.skipNBytes(3);
    require(in.readUnsignedByte() == IPV4);
    InetAddress address = InetAddress.getByAddress(in.readNBytes(IPV4_OCTETS));
    targets.add(address.getHostAddress() + ":" + in.readUnsignedShort());
    out.write(new byte[] {VERSION, 0, 0, IPV4, 0, 0, 0, 0, 0, 0});
    StringBuilder request = new StringBuilder();
    while (!request.toString().endsWith("\r\n\r\n")) {
      request.append((char) in.readUnsignedByte());
    }
    int path = request.indexOf(" ") + 1;
    String content = pages.get(request.substring(path, request.indexOf(" ", path)));
    out.write(
        (content == null
                ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: "
                    + content.length()
                    + "\r\nConnection: close\r\n\r\n"
                    + content)
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static void require(boolean isWanted) throws IOException {
    if (!isWanted) {
      throw new IOException("not a request of SOCKS 5 for an IPv4 address");
    }
  }
}
