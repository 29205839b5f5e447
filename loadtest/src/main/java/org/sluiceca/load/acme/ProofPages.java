package org.sluiceca.load.acme;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An HTTP server that has the proofs of http-01 (RFC 8555 8.3). Thread-safe. */
public final class ProofPages implements Closeable {

  private static final String PATH = "GET /.well-known/acme-challenge/";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Map<String, String> proofs = new ConcurrentHashMap<>();
  private final ServerSocket web;

  /**
   * Serves until it is closed.
   *
   * @param port 0 for one of the system's choice
   * @throws IOException if the port is in use
   */
  public ProofPages(InetAddress address, int port) throws IOException {
    web = new ServerSocket(port, 1024, address);
    Thread _ = Thread.ofPlatform().daemon().name("proofs-http").start(this::serve);
  }

  public int port() {
    return web.getLocalPort();
  }

  public void put(String token, String proof) {
    proofs.put(token, proof);
  }

  public void remove(String token) {
    String _ = proofs.remove(token);
  }

  private void serve() {
    while (true) {
      try {
        Socket client = web.accept();
        Thread _ = Thread.ofVirtual().start(() -> answer(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      client.setSoTimeout((int) TIMEOUT.toMillis());
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
      String first = Optional.ofNullable(in.readLine()).orElse("");
      String line = in.readLine();
      while (line != null && !line.isEmpty()) {
        line = in.readLine();
      }
      String token = first.startsWith(PATH) ? first.substring(PATH.length()).split(" ", 2)[0] : "";
      String proof = proofs.getOrDefault(token, "");
      client
          .getOutputStream()
          .write(
              ("HTTP/1.1 "
                      + (proof.isEmpty() ? "404 Not Found" : "200 OK")
                      + "\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n"
                      + "Content-Length: "
                      + proof.length()
                      + "\r\n\r\n"
                      + proof)
                  .getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // A CA that goes away has no proof, and says so.
    }
  }

  @Override
  public void close() throws IOException {
    web.close();
  }
}
