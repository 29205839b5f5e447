package org.sluiceca.api.validation.service;

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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** A resolver on the loopback address, by UDP and TCP, whose records a test sets. */
final class NameServer implements AutoCloseable {

  /** Answers in octets; null for no answer. */
  interface Reply {
    byte @Nullable [] to(Message query, boolean isTcp) throws IOException;
  }

  private static final int UDP_BYTES_MAX = 512;
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final DatagramSocket udp;
  private final ServerSocket tcp;
  private final Map<Name, List<Record>> zone = new ConcurrentHashMap<>();
  private final Map<Name, Integer> rcodes = new ConcurrentHashMap<>();
  private final List<String> questions = new CopyOnWriteArrayList<>();
  private final List<InetAddress> askers = new CopyOnWriteArrayList<>();
  private volatile Reply reply = this::fromZone;

  NameServer() throws IOException {
    DatagramSocket datagrams = new DatagramSocket(0, LOOPBACK);
    ServerSocket connections = listen(datagrams);
    while (connections == null) {
      datagrams.close();
      datagrams = new DatagramSocket(0, LOOPBACK);
      connections = listen(datagrams);
    }
    udp = datagrams;
    tcp = connections;
    Thread.ofPlatform().daemon().start(this::serveUdp);
    Thread.ofPlatform().daemon().start(this::serveTcp);
  }

  /** Returns null if another process has this port for TCP. */
  private static @Nullable ServerSocket listen(DatagramSocket datagrams) {
    try {
      return new ServerSocket(datagrams.getLocalPort(), 50, LOOPBACK);
    } catch (IOException _) {
      return null;
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(LOOPBACK, udp.getLocalPort());
  }

  /** Each question that came, as {@code A www.example.org}. */
  List<String> questions() {
    return questions;
  }

  /** The address from which each question by UDP came. */
  List<InetAddress> askers() {
    return askers;
  }

  void reply(Reply other) {
    reply = other;
  }

  NameServer a(String name, String address) {
    return add(new ARecord(name(name), DClass.IN, 0, InetAddress.ofLiteral(address)));
  }

  NameServer aaaa(String name, String address) {
    return add(new AAAARecord(name(name), DClass.IN, 0, InetAddress.ofLiteral(address)));
  }

  NameServer aaaa(String name, byte[] octets) {
    return add(new AAAARecord(name(name), DClass.IN, 0, octets));
  }

  NameServer cname(String name, String target) {
    return add(new CNAMERecord(name(name), DClass.IN, 0, name(target)));
  }

  NameServer txt(String name, String... parts) {
    return add(new TXTRecord(name(name), DClass.IN, 0, List.of(parts)));
  }

  NameServer rcode(String name, int rcode) {
    rcodes.put(name(name), rcode);
    return this;
  }

  void clear(String name) {
    zone.remove(name(name));
  }

  private NameServer add(Record record) {
    zone.computeIfAbsent(record.getName(), _ -> new CopyOnWriteArrayList<>()).add(record);
    return this;
  }

  static Name name(String text) {
    try {
      return Name.fromString(text, Name.root);
    } catch (TextParseException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** As a server of these zones alone answers: an alias without its target's records. */
  byte[] fromZone(Message query, boolean isTcp) {
    Message answer = answerTo(query);
    Record question = query.getQuestion();
    Name name = question.getName();
    List<Record> records = zone.getOrDefault(name, List.of());
    records.stream()
        .filter(r -> r.getType() == question.getType() || r.getType() == Type.CNAME)
        .forEach(r -> answer.addRecord(r, Section.ANSWER));
    answer
        .getHeader()
        .setRcode(rcodes.getOrDefault(name, records.isEmpty() ? Rcode.NXDOMAIN : Rcode.NOERROR));
    return isTcp ? answer.toWire() : answer.toWire(UDP_BYTES_MAX);
  }

  static Message answerTo(Message query) {
    Message answer = new Message(query.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.getHeader().setFlag(Flags.RA);
    answer.addRecord(query.getQuestion(), Section.QUESTION);
    return answer;
  }

  private byte @Nullable [] answer(byte[] octets, boolean isTcp) throws IOException {
    Message query = new Message(octets);
    Record question = query.getQuestion();
    questions.add(
        (isTcp ? "TCP " : "")
            + Type.string(question.getType())
            + " "
            + question.getName().toString(true));
    return reply.to(query, isTcp);
  }

  private void serveUdp() {
    byte[] buffer = new byte[4_096];
    while (!udp.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        udp.receive(packet);
        askers.add(packet.getAddress());
        byte[] octets = Arrays.copyOf(buffer, packet.getLength());
        byte[] answer = answer(octets, false);
        if (answer != null) {
          udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      } catch (IOException e) {
        if (!udp.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serveTcp() {
    while (!tcp.isClosed()) {
      try (Socket socket = tcp.accept()) {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] octets = new byte[in.readUnsignedShort()];
        in.readFully(octets);
        byte[] answer = answer(octets, true);
        if (answer != null) {
          DataOutputStream out = new DataOutputStream(socket.getOutputStream());
          out.writeShort(answer.length);
          out.write(answer);
        }
      } catch (IOException _) {
        // The client or the test has closed it.
      }
    }
  }

  @Override
  public void close() throws IOException {
    udp.close();
    tcp.close();
  }
}
