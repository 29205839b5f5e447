package org.sluiceca.api.http.connector;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.BodyWait;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.connector.evict.BodyWaits;
import org.sluiceca.api.http.connector.evict.ConnectionCut;
import org.sluiceca.api.http.connector.evict.EachConnection;
import org.sluiceca.api.http.connector.evict.IdleConnections;
import org.sluiceca.api.http.connector.evict.NetworkLimit;
import org.sluiceca.api.http.connector.pooled.BufferPool;
import org.sluiceca.api.http.connector.pooled.PooledBuffers;

/**
 * Tomcat's NIO endpoint, which closes the longest-idle connection for a new one when it is full,
 * and the new one at once if none is idle, where Tomcat would leave it unanswered in the backlog;
 * ends bodies that hold up others; and lends buffers to connections only while something is to be
 * done.
 */
final class BoundedEndpoint extends NioEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedEndpoint.class);

  /** A round trip and what a busy node takes for a handshake, with room. */
  private static final long UNUSED_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

  /**
   * Connections that are being closed and still counted: the limit may be exceeded by these for a
   * moment, 0.4 MB.
   */
  private static final int EVICTIONS_AT_ONCE = 32;

  private final LongAdder refused = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final BufferPool securePool = BufferPool.forTls();
  private final BufferPool plainPool = BufferPool.forPlain();
  private final PartialInputs<SocketWrapperBase<NioChannel>> partial =
      new PartialInputs<>(SocketWrapperBase::isClosed);
  private final IdleConnections<SocketWrapperBase<NioChannel>> idle =
      new IdleConnections<>(SocketWrapperBase::isClosed, UNUSED_NANOS_MIN);
  private volatile Runnable connected = () -> {};
  private volatile HttpSettings settings = HttpSettings.defaults();
  private volatile int connectionsMax = ConnectionBudget.ofHeap();
  private volatile RequestSlots slots = new RequestSlots(ConnectionBudget.slots(connectionsMax));
  private volatile Handshakes<SocketWrapperBase<NioChannel>> handshakes = handshakes();
  private volatile BodyWaits<SocketWrapperBase<NioChannel>> bodies = bodies();

  BoundedEndpoint() {
    // Tomcat's own limit stops the acceptor; ours is in setSocketOptions.
    super.setMaxConnections(-1);
    // Closed channels are dropped: there is nothing expensive in ours.
    getSocketProperties().setBufferPool(0);
  }

  @Override
  public void setMaxConnections(int max) {
    connectionsMax = ConnectionBudget.bearable(max);
    slots = new RequestSlots(ConnectionBudget.slots(connectionsMax));
    handshakes = handshakes();
    bodies = bodies();
    if (connectionsMax != max) {
      LOG.info("at most {} connections at once: {} would not fit the heap", connectionsMax, max);
    }
  }

  private Handshakes<SocketWrapperBase<NioChannel>> handshakes() {
    return new Handshakes<>(
        ConnectionBudget.handshakes(connectionsMax),
        connection -> connection.isClosed() || connection.getSocket().isHandshakeComplete(),
        SlowConnections.NANOS_MAX);
  }

  /** Before the port is opened. */
  void limit(HttpSettings limits) {
    settings = limits;
    bodies = bodies();
  }

  private BodyWaits<SocketWrapperBase<NioChannel>> bodies() {
    int max = ConnectionBudget.slots(connectionsMax);
    int anonymous = settings.anonymousBodies();
    return new BodyWaits<>(
        new BodyWaits.Limits(
            ConnectionBudget.bodies(max),
            anonymous == 0 ? ConnectionBudget.anonymousBodies(max) : anonymous,
            settings.bodyTime().toNanos(),
            settings.anonymousBodyTime().toNanos(),
            settings.anonymousBodyRate()));
  }

  @Override
  public int getMaxConnections() {
    return connectionsMax;
  }

  int connections() {
    return connections.size();
  }

  /** Runs {@code action} after each connection that was added from now on. It must not block. */
  void whenConnected(Runnable action) {
    connected = action;
  }

  /** Wakes the poller, so that it closes connections whose time is over. */
  void wakePoller() {
    connections.values().stream()
        .limit(1)
        .forEach(one -> ((NioSocketWrapper) one).getPoller().getSelector().wakeup());
  }

  /** Cuts what has waited too long for the rest of its input, or holds a turn for too long. */
  void cutOverdue(long now) {
    EachConnection.of(partial.overdue(now, SlowConnections.NANOS_MAX), this::cut);
    EachConnection.of(slots.overdue(now), BoundedEndpoint::cutUnderWay);
    EachConnection.of(bodies.overdue(now), ConnectionBody::cutInput);
    handshakes.settleAll();
    idle.forgetClosed();
  }

  long refused() {
    return refused.sum();
  }

  /** Returns how many idle connections were closed for new ones. */
  long evicted() {
    return evicted.sum();
  }

  /** Returns how many connections are kept open after a request. */
  int kept() {
    return idle.kept();
  }

  /** Returns how many requests wait for their bodies now. */
  int bodiesWaiting() {
    return bodies.waiting();
  }

  /** Returns how many bodies were ended because they were slow or too many. */
  long bodiesCut() {
    return bodies.evicted();
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (NetworkLimit.isReached(settings.connectionsPerAddress(), socket, connections.keySet())
        || !makeRoom()) {
      refused.increment();
      destroySocket(socket);
      return false;
    }
    if (!super.setSocketOptions(socket)) {
      return false;
    }
    SocketWrapperBase<NioChannel> accepted = connections.get(socket);
    if (accepted != null) {
      idle.accepted(accepted, System.nanoTime());
    }
    connected.run();
    return true;
  }

  /** Returns whether there is room for one more connection, for which an idle one may be closed. */
  private boolean makeRoom() {
    int excess = connections.size() - connectionsMax;
    if (excess < 0) {
      return true;
    }
    SocketWrapperBase<NioChannel> longest =
        excess < EVICTIONS_AT_ONCE ? idle.takeLongestIdle(System.nanoTime()) : null;
    if (longest == null) {
      return false;
    }
    evicted.increment();
    cut(longest);
    return true;
  }

  private void noteIdle(SocketWrapperBase<NioChannel> connection) {
    if (connection.isClosed() || !(connection.getSocket() instanceof PooledBuffers channel)) {
      return;
    }
    if (!connection.getSocket().isHandshakeComplete()) {
      idle.unused(connection, channel.acceptedNanos());
    } else if (!(connection.getCurrentProcessor() instanceof Processor processor)) {
      idle.kept(connection, System.nanoTime());
    } else if (!processor.isAsync()
        && processor.getRequest() != null
        && processor.getRequest().getStartTimeNanos() < 0) {
      // Tomcat keeps a processor for it, and no octet of a head has come.
      idle.unused(connection, channel.acceptedNanos());
    }
  }

  @Override
  protected NioChannel createChannel(SocketBufferHandler ignored) {
    return (isSSLEnabled() ? securePool : plainPool).channel(this);
  }

  @Override
  protected SocketProcessorBase<NioChannel> createSocketProcessor(
      SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
    return new Turn(wrapper, event);
  }

  /**
   * Its thread has the lock, and waits for a client that does not read: only the socket ends it.
   */
  private static void cutUnderWay(SocketWrapperBase<NioChannel> connection) {
    try {
      connection.getSocket().getIOChannel().close();
    } catch (IOException e) {
      LOG.debug("a connection in a long request was closed already: {}", e.getMessage());
    }
  }

  private void cut(@Nullable SocketWrapperBase<NioChannel> tooOld) {
    if (tooOld != null) {
      // By a thread of its own, since this one holds another connection's lock.
      processSocket(tooOld, SocketEvent.ERROR, true);
    }
  }

  /** One turn of a connection: it has its buffers from the beginning to the end of it. */
  private final class Turn extends SocketProcessor {

    Turn(SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
      super(wrapper, event);
    }

    // Runs under the wrapper's lock.
    @Override
    protected void doRun() {
      SocketWrapperBase<NioChannel> connection = socketWrapper;
      Handshakes<SocketWrapperBase<NioChannel>> shaking = handshakes;
      // What ends a connection needs no place, and must not wait for one. A handshake goes on when
      // it may write, too, and the turn in which it ends goes on with the first request.
      if (event != SocketEvent.OPEN_READ && event != SocketEvent.OPEN_WRITE) {
        turn();
        shaking.settle(connection);
        noteIdle(connection);
        return;
      }
      idle.busy(connection);
      RequestSlots taken = slots;
      if (!shaking.begin(connection) || !taken.begin(connection)) {
        refused.increment();
        taken.refuse(connection);
        return;
      }
      try {
        ScopedValue.where(SlotExtension.CURRENT, () -> taken.prolong(connection))
            .where(ConnectionCut.CURRENT, () -> cut(connection))
            .where(BodyWait.CURRENT, new ConnectionBody(bodies, connection))
            .run(this::turn);
      } finally {
        taken.end(connection);
        shaking.settle(connection);
        noteIdle(connection);
      }
    }

    private void turn() {
      SocketWrapperBase<NioChannel> wrapper = socketWrapper;
      PooledBuffers channel = wrapper.getSocket() instanceof PooledBuffers open ? open : null;
      if (channel != null) {
        channel.acquireBuffers();
        partial.resume(wrapper);
      }
      super.doRun();
      // This object may already serve another connection: only locals from here.
      if (channel != null && PooledBuffers.mayReleaseBuffers(wrapper)) {
        channel.releaseBuffers();
        if (wrapper.isClosed() || !(channel.isHolding() || wrapper.getCurrentProcessor() != null)) {
          partial.remove(wrapper);
        } else {
          cut(partial.add(wrapper, System.nanoTime()));
        }
      }
    }
  }
}
