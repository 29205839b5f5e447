package org.sluiceca.load.bench.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An HTTPS server in the client's process that answers every request at once: the client is warm
 * before it meets a CA, and what it takes by itself is known.
 */
final class OwnServer implements AutoCloseable {

  private static final String LENGTH = "content-length:";

  /** As long as a certificate with its chain in JSON. */
  private static final String BODY = "{\"certificate\":\"" + "A".repeat(3_000) + "\"}";

  private static final byte[] ANSWER =
      ("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: "
              + BODY.length()
              + "\r\n\r\n"
              + BODY)
          .getBytes(StandardCharsets.ISO_8859_1);

  private final ServerSocket socket;

  /** Serves until it is closed, with a key and certificate from a PKCS #12 file. */
  OwnServer(Path keys, String password) throws IOException, GeneralSecurityException {
    char[] characters = password.toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, characters);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store, characters);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), null, null);
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    socket = tls.getServerSocketFactory().createServerSocket(0, 100, loopback);
    Thread _ = Thread.ofPlatform().daemon().name("own-server").start(this::serve);
  }

  int port() {
    return socket.getLocalPort();
  }

  private void serve() {
    while (true) {
      try {
        Socket client = socket.accept();
        Thread _ = Thread.ofVirtual().start(() -> answer(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
      while (readRequest(in)) {
        client.getOutputStream().write(ANSWER);
      }
    } catch (IOException e) {
      // The client has closed the connection, which ends its thread.
    }
  }

  private static boolean readRequest(BufferedReader in) throws IOException {
    long length = 0;
    String line = in.readLine();
    while (line != null && !line.isEmpty()) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Long.parseLong(line.substring(LENGTH.length()).strip());
      }
      line = in.readLine();
    }
    while (line != null && length > 0) {
      long skipped = in.skip(length);
      if (skipped == 0) {
        return false;
      }
      length -= skipped;
    }
    return line != null;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
