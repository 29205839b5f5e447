package org.sluiceca.load.bench.acme;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What proves names to a CA: a DNS server by which every name is this machine, and an HTTP server
 * that has the proofs of http-01 (RFC 8555 8.3). Both on loopback, at ports of the system's choice.
 * Thread-safe.
 */
final class ProofServers implements AutoCloseable {

  private static final String PATH = "GET /.well-known/acme-challenge/";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int QUESTION_AT = 12;
  private static final int TYPE_A = 1;

  private final Map<String, String> proofs = new ConcurrentHashMap<>();
  private final ServerSocket web;
  private final DatagramSocket names;

  ProofServers() throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    web = new ServerSocket(0, 1024, loopback);
    names = new DatagramSocket(0, loopback);
    Thread _ = Thread.ofPlatform().daemon().name("proofs-http").start(this::serveWeb);
    Thread _ = Thread.ofPlatform().daemon().name("proofs-dns").start(this::serveNames);
  }

  int webPort() {
    return web.getLocalPort();
  }

  int namesPort() {
    return names.getLocalPort();
  }

  void put(String token, String proof) {
    proofs.put(token, proof);
  }

  void remove(String token) {
    String _ = proofs.remove(token);
  }

  private void serveWeb() {
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

  private void serveNames() {
    byte[] question = new byte[4096];
    while (true) {
      try {
        DatagramPacket asked = new DatagramPacket(question, question.length);
        names.receive(asked);
        Optional<byte[]> answer = answer(Arrays.copyOf(question, asked.getLength()));
        if (answer.isPresent()) {
          names.send(
              new DatagramPacket(answer.get(), answer.get().length, asked.getSocketAddress()));
        }
      } catch (SocketException e) {
        return;
      } catch (IOException e) {
        // One answer less.
      }
    }
  }

  /**
   * Answers a question of DNS (RFC 1035 4.1): 127.0.0.1 for every name's A, nothing for others;
   * empty for what is no question.
   */
  static Optional<byte[]> answer(byte[] question) {
    int at = QUESTION_AT;
    while (at < question.length && question[at] > 0) {
      at += 1 + question[at];
    }
    int end = at + 5;
    if (end > question.length || question[at] != 0) {
      return Optional.empty();
    }
    boolean isA = question[at + 1] == 0 && question[at + 2] == TYPE_A;
    ByteBuffer answer = ByteBuffer.allocate(end + (isA ? 16 : 0));
    // An authoritative answer without a fault, to one question.
    answer.put(question, 0, 2).put((byte) 0x84).put((byte) 0);
    answer.putShort((short) 1).putShort((short) (isA ? 1 : 0)).putInt(0);
    answer.put(question, QUESTION_AT, end - QUESTION_AT);
    if (isA) {
      // The name of the question, A, IN, for a minute.
      answer.putShort((short) (0xC000 | QUESTION_AT)).putShort((short) TYPE_A).putShort((short) 1);
      answer.putInt(60).putShort((short) 4).put(new byte[] {127, 0, 0, 1});
    }
    return Optional.of(answer.array());
  }

  @Override
  public void close() throws IOException {
    web.close();
    names.close();
  }
}
