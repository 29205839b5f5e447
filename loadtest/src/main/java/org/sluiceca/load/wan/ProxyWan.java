package org.sluiceca.load.wan;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.sluiceca.load.drive.OpenLoop;
import org.sluiceca.load.plan.WanPlan;

/**
 * A proxy in front of each node that delays what it carries and sends it at a rate. It ends
 * connections of TCP at both sides, so it has no slow start and loses nothing; the round trip that
 * a connection takes to be made is that of its first bytes.
 */
final class ProxyWan implements Wan {

  /** What a packet on Ethernet carries of TCP, and with it the heads of IP and TCP. */
  private static final int SEGMENT = 1448;

  private static final int HEADS = 52;

  /** Segments on their way on one connection, one way: a window of some 93 KB. */
  private static final int WINDOW = 64;

  private static final int CONNECT_MILLIS = 10_000;
  private static final double NANOS_PER_MILLI = 1e6;

  private final WanPlan plan;
  private final int firstPort;
  private final ConcurrentMap<Integer, Listener> doors = new ConcurrentHashMap<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private record Listener(ServerSocket listening, Line up, Line down) {}

  /** Bytes and when they arrive; none at the end. */
  private static final class Piece {
    private final byte[] bytes;
    private final long arrives;

    private Piece(byte[] bytes, long arrives) {
      this.bytes = bytes;
      this.arrives = arrives;
    }

    private static Piece end(long arrives) {
      return new Piece(new byte[0], arrives);
    }
  }

  /** One way of one connection. */
  private record Way(Socket from, Socket to, Line line) {}

  ProxyWan(WanPlan plan, int firstPort) {
    this.plan = plan;
    this.firstPort = firstPort;
  }

  @Override
  public InetSocketAddress door(int node) {
    Listener door = doors.computeIfAbsent(node, this::open);
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), door.listening().getLocalPort());
  }

  private Listener open(int node) {
    try {
      ServerSocket listening = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
      Listener door = new Listener(listening, line(), line());
      threads.execute(() -> listen(door, firstPort + node));
      return door;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Line line() {
    return new Line(1e6 * plan.mbit(), rttNanos() / 2, System.nanoTime());
  }

  private long rttNanos() {
    return (long) (plan.rttMillis() * NANOS_PER_MILLI);
  }

  private void listen(Listener door, int port) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Socket client = door.listening().accept();
        boolean ignored = sockets.add(client);
        threads.execute(() -> connect(client, door, port));
      }
    } catch (IOException e) {
      // Closed: the run is over.
      forget(door.listening());
    }
  }

  /** A connection is made by a round trip, in which nothing of it arrives. */
  private void connect(Socket client, Listener door, int port) {
    OpenLoop.awaitTime(System.nanoTime() + rttNanos());
    Socket server = new Socket();
    boolean ignored = sockets.add(server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      carry(new Way(client, server, door.up()));
      carry(new Way(server, client, door.down()));
    } catch (IOException e) {
      drop(client, server);
    }
  }

  private void carry(Way way) {
    BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(WINDOW);
    threads.execute(() -> read(way, pieces));
    threads.execute(() -> write(way, pieces));
  }

  private void read(Way way, BlockingQueue<Piece> pieces) {
    byte[] buffer = new byte[SEGMENT];
    try {
      InputStream in = way.from().getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        long arrives = way.line().send(read + HEADS, System.nanoTime());
        pieces.put(new Piece(Arrays.copyOf(buffer, read), arrives));
      }
      pieces.put(Piece.end(way.line().send(HEADS, System.nanoTime())));
    } catch (IOException e) {
      drop(way.from(), way.to());
      // The writer is to end as well; where this finds no room, its next write fails.
      boolean ignored = pieces.offer(Piece.end(System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(Way way, BlockingQueue<Piece> pieces) {
    try {
      OutputStream out = way.to().getOutputStream();
      for (Piece piece = pieces.take(); piece.bytes.length > 0; piece = pieces.take()) {
        OpenLoop.awaitTime(piece.arrives);
        out.write(piece.bytes);
      }
      way.to().shutdownOutput();
      if (way.from().isOutputShutdown()) {
        drop(way.from(), way.to());
      }
    } catch (IOException e) {
      drop(way.from(), way.to());
      // The reader may wait for room.
      pieces.clear();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void drop(Socket one, Socket other) {
    for (Socket socket : new Socket[] {one, other}) {
      boolean ignored = sockets.remove(socket);
      forget(socket);
    }
  }

  private static void forget(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more, and the kernel has its end of it.
      Thread.onSpinWait();
    }
  }

  @Override
  public String description() {
    return "by a proxy that delays whole connections: " + Wan.description(plan);
  }

  @Override
  public void close() {
    doors.values().forEach(door -> forget(door.listening()));
    sockets.forEach(ProxyWan::forget);
    threads.shutdownNow();
  }
}
