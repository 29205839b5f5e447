package org.sluiceca.blackbox;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** A name server on loopback: every name is this machine, and tests put texts and aliases. */
final class NameServer implements AutoCloseable {

  private static final int DATAGRAM_MAX = 4096;

  /** A client that connects and asks nothing delays the next one by this. */
  private static final int STREAM_MILLISECONDS = 5000;

  private final DatagramSocket socket;
  private final ServerSocket streams;
  private final Map<String, List<String>> texts = new ConcurrentHashMap<>();
  private final Map<String, String> aliases = new ConcurrentHashMap<>();
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();

  /** Answers on a port that was free, over UDP and TCP. */
  NameServer() {
    int port = Ports.NODES.free(1);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      socket = new DatagramSocket(address);
      streams = new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("name server").start(this::serve);
    Thread.ofVirtual().name("name server, TCP").start(this::serveStreams);
  }

  /** {@code 127.0.0.1:PORT}. */
  String address() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  void text(String name, String... values) {
    texts.put(name, List.of(values));
  }

  void alias(String name, String target) {
    aliases.put(name, target);
  }

  void address(String name, String address) {
    addresses.put(name, InetAddress.ofLiteral(address));
  }

  /** Names that end so get no answer at all. */
  void silent(String suffix) {
    silent.add(suffix);
  }

  private void serve() {
    byte[] buffer = new byte[DATAGRAM_MAX];
    while (!socket.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        byte[] asked = Arrays.copyOf(buffer, packet.getLength());
        String name = text(new Message(asked).getQuestion().getName());
        if (silent.stream().anyMatch(name::endsWith)) {
          continue;
        }
        byte[] answer = answer(asked);
        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException e) {
        // Closed, or no message: the next one.
      }
    }
  }

  private void serveStreams() {
    while (!streams.isClosed()) {
      try (Socket client = streams.accept();
          DataInputStream in = new DataInputStream(client.getInputStream());
          DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
        client.setSoTimeout(STREAM_MILLISECONDS);
        byte[] asked = new byte[in.readUnsignedShort()];
        in.readFully(asked);
        byte[] answer = answer(asked);
        out.writeShort(answer.length);
        out.write(answer);
        out.flush();
      } catch (IOException e) {
        // Closed, or no message: the next one.
      }
    }
  }

  private byte[] answer(byte[] asked) throws IOException {
    Message query = new Message(asked);
    Record question = query.getQuestion();
    Message answer = new Message(query.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.getHeader().setFlag(Flags.RA);
    answer.addRecord(question, Section.QUESTION);
    Name name = question.getName();
    String alias = aliases.get(text(name));
    if (alias != null) {
      Name target = name(alias);
      answer.addRecord(new CNAMERecord(name, DClass.IN, 1, target), Section.ANSWER);
      name = target;
    }
    if (question.getType() == Type.A) {
      InetAddress address = addresses.getOrDefault(text(name), InetAddress.ofLiteral("127.0.0.1"));
      answer.addRecord(new ARecord(name, DClass.IN, 1, address), Section.ANSWER);
    } else if (question.getType() == Type.TXT) {
      for (String value : texts.getOrDefault(text(name), List.of())) {
        answer.addRecord(new TXTRecord(name, DClass.IN, 1, value), Section.ANSWER);
      }
    }
    return answer.toWire();
  }

  private static String text(Name name) {
    return name.toString(true).toLowerCase(Locale.ROOT);
  }

  private static Name name(String text) throws TextParseException {
    return Name.fromString(text + ".");
  }

  @Override
  public void close() {
    socket.close();
    try {
      streams.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
