package org.sluiceca.load.drill.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The line between a standby and its primary: a relay that can be stalled, and cut. What it holds
 * when it is cut never arrives. Thread-safe.
 */
public final class ReplicationLine implements AutoCloseable {

  private static final int BUFFER = 65_536;

  private final ServerSocket door;
  private final int primaryPort;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Ends with whether more may pass. */
  private final AtomicReference<CompletableFuture<Boolean>> gate =
      new AtomicReference<>(CompletableFuture.completedFuture(true));

  private ReplicationLine(ServerSocket door, int primaryPort) {
    this.door = door;
    this.primaryPort = primaryPort;
  }

  /** Opens a line to a port of this machine. */
  public static ReplicationLine open(int primaryPort) throws IOException {
    ServerSocket door = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    ReplicationLine line = new ReplicationLine(door, primaryPort);
    line.threads.execute(line::accept);
    return line;
  }

  /** Returns where the standby finds its primary. */
  public int port() {
    return door.getLocalPort();
  }

  /** From now on nothing arrives. */
  public void hold() {
    gate.set(new CompletableFuture<>());
  }

  @Override
  public void close() {
    cut();
  }

  /** Ends it for good, with what it holds. */
  public void cut() {
    boolean ignored = gate.getAndSet(CompletableFuture.completedFuture(false)).complete(false);
    shut(door);
    sockets.forEach(ReplicationLine::shut);
  }

  private void accept() {
    try {
      while (true) {
        Socket standby = door.accept();
        Socket primary = new Socket(InetAddress.getLoopbackAddress(), primaryPort);
        boolean ignored = sockets.addAll(List.of(standby, primary));
        threads.execute(() -> pump(standby, primary));
        threads.execute(() -> pump(primary, standby));
      }
    } catch (IOException e) {
      // Cut, or the primary is gone: the standby tries again in either case.
      shut(door);
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read > 0 && gate.get().join(); read = in.read(buffer)) {
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // The other pump hears of it by the same sockets.
      Thread.onSpinWait();
    } finally {
      shut(from);
      shut(to);
    }
  }

  private static void shut(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
      Thread.onSpinWait();
    }
  }
}
