package org.sluiceca.load.drive;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as a load balancer sees them: each request goes to the next one, past those that take
 * no connection. Connections are kept and shared by all requests to a node. Thread-safe.
 */
public final class Targets implements AutoCloseable {

  /** Below the 60 s after which a node ends a connection that rests. */
  private static final long REST_NANOS_MAX = 50_000_000_000L;

  private final SSLSocketFactory factory;
  private final int firstPort;
  private final IntFunction<InetSocketAddress> doors;
  private final Semaphore permits;
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();
  private final CopyOnWriteArrayList<Integer> nodes = new CopyOnWriteArrayList<>();
  private final ConcurrentMap<Integer, Resting> resting = new ConcurrentHashMap<>();

  /** Idle connections to a node; the one used last is taken first. */
  private static final class Resting {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Connection> stack = new ArrayDeque<>();

    @Nullable Connection pop() {
      lock.lock();
      try {
        return stack.pollFirst();
      } finally {
        lock.unlock();
      }
    }

    void push(Connection connection) {
      lock.lock();
      try {
        stack.addFirst(connection);
      } finally {
        lock.unlock();
      }
    }
  }

  /** A node's answer. */
  record Answered(int node, Reply reply, boolean isResent) {}

  /** No node answered; {@code node} was asked last. */
  static final class Unanswered extends IOException {
    private static final long serialVersionUID = 1L;
    private final int node;

    private Unanswered(int node, IOException cause) {
      super(cause);
      this.node = node;
    }

    int node() {
      return node;
    }
  }

  /**
   * No nodes yet.
   *
   * @param firstPort of node 0 on the loopback interface; node i has the ith after it
   * @param connectionsMax requests without an answer at a time
   */
  public Targets(SSLSocketFactory factory, int firstPort, int connectionsMax) {
    this(
        factory,
        firstPort,
        connectionsMax,
        node -> new InetSocketAddress(InetAddress.getLoopbackAddress(), firstPort + node));
  }

  /**
   * The same behind other doors.
   *
   * @param doors where connections to a node are taken
   */
  public Targets(
      SSLSocketFactory factory,
      int firstPort,
      int connectionsMax,
      IntFunction<InetSocketAddress> doors) {
    this.factory = factory;
    this.firstPort = firstPort;
    this.doors = doors;
    this.permits = new Semaphore(connectionsMax);
  }

  /** Sends requests to these nodes from now on. */
  public void aim(List<Integer> numbers) {
    nodes.addAllAbsent(numbers);
    nodes.retainAll(numbers);
  }

  /** Returns how many connections were opened so far. */
  public int opened() {
    return opened.get();
  }

  /** Takes the right to send one request; false if too many have no answer yet. Does not wait. */
  boolean tryEnter() {
    return permits.tryAcquire();
  }

  void leave() {
    permits.release();
  }

  /**
   * Sends a request to the next node that takes a connection. What a node had begun to answer, or
   * received on a fresh connection, is not sent again.
   */
  Answered ask(byte[] request) throws Unanswered {
    List<Integer> candidates = List.copyOf(nodes);
    int first = turn.getAndIncrement() & Integer.MAX_VALUE;
    Unanswered last = new Unanswered(0, new IOException("no nodes"));
    AtomicBoolean isResent = new AtomicBoolean();
    for (int i = 0; i < candidates.size(); i++) {
      int node = candidates.get((first + i) % candidates.size());
      Connection connection;
      try {
        Reply kept = askKept(node, request, isResent);
        if (kept != null) {
          return new Answered(node, kept, isResent.get());
        }
        connection = open(node);
      } catch (IOException e) {
        last = new Unanswered(node, e);
        continue;
      }
      return new Answered(node, askFresh(node, connection, request), isResent.get());
    }
    throw last;
  }

  /** Sends a request to this node and no other. */
  Answered ask(int node, byte[] request) throws Unanswered {
    AtomicBoolean isResent = new AtomicBoolean();
    Reply kept = askKept(node, request, isResent);
    return new Answered(
        node, kept == null ? askFresh(node, fresh(node), request) : kept, isResent.get());
  }

  private Connection fresh(int node) throws Unanswered {
    try {
      return open(node);
    } catch (IOException e) {
      throw new Unanswered(node, e);
    }
  }

  private Connection open(int node) throws IOException {
    opened.incrementAndGet();
    return Connection.open(factory, doors.apply(node), firstPort + node);
  }

  /** Returns null if no kept connection still works; sets {@code isResent} if one broke. */
  private @Nullable Reply askKept(int node, byte[] request, AtomicBoolean isResent)
      throws Unanswered {
    Resting mine = resting(node);
    for (Connection kept = mine.pop(); kept != null; kept = mine.pop()) {
      if (System.nanoTime() - kept.restingSince() > REST_NANOS_MAX) {
        kept.close();
        continue;
      }
      try {
        return keep(node, kept, kept.ask(request));
      } catch (java.net.SocketTimeoutException e) {
        kept.close();
        throw new Unanswered(node, e);
      } catch (IOException e) {
        kept.close();
        if (kept.hasAnswered()) {
          throw new Unanswered(node, e);
        }
        isResent.set(true);
      }
    }
    return null;
  }

  private Reply askFresh(int node, Connection connection, byte[] request) throws Unanswered {
    try {
      return keep(node, connection, connection.ask(request));
    } catch (IOException e) {
      connection.close();
      throw new Unanswered(node, e);
    }
  }

  private Reply keep(int node, Connection connection, Reply reply) {
    if (reply.keepsConnection()) {
      connection.rest(System.nanoTime());
      resting(node).push(connection);
    } else {
      connection.close();
    }
    return reply;
  }

  private Resting resting(int node) {
    return resting.computeIfAbsent(node, number -> new Resting());
  }

  @Override
  public void close() {
    for (Resting each : resting.values()) {
      for (Connection kept = each.pop(); kept != null; kept = each.pop()) {
        kept.close();
      }
    }
  }
}
