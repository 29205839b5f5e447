package org.sluiceca.load.bench.acme;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** A DNS server by which every name is this machine, at a port of the system's choice. */
final class NameServer implements AutoCloseable {

  private static final int QUESTION_AT = 12;
  private static final int TYPE_A = 1;

  private final DatagramSocket names;

  NameServer(InetAddress address) throws IOException {
    names = new DatagramSocket(0, address);
    Thread _ = Thread.ofPlatform().daemon().name("proofs-dns").start(this::serve);
  }

  int port() {
    return names.getLocalPort();
  }

  private void serve() {
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
  public void close() {
    names.close();
  }
}
