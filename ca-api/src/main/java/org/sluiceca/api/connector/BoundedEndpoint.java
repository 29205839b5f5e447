package org.sluiceca.api.connector;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.LongAdder;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.connector.lean.BufferShelf;
import org.sluiceca.api.connector.lean.Lean;

/**
 * Tomcat's NIO endpoint, which closes a connection too many at once, where Tomcat would leave it
 * unanswered in the backlog, and lends buffers to connections only while something is to be done.
 */
final class BoundedEndpoint extends NioEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedEndpoint.class);

  private final LongAdder refused = new LongAdder();
  private final BufferShelf secureShelf = BufferShelf.forTls();
  private final BufferShelf plainShelf = BufferShelf.forPlain();
  private final PartialInputs<SocketWrapperBase<NioChannel>> partial =
      new PartialInputs<>(SocketWrapperBase::isClosed);
  private volatile int connectionsMax = ConnectionBudget.ofHeap();
  private volatile Turns turns = new Turns(ConnectionBudget.turns(connectionsMax));
  private volatile Handshakes<SocketWrapperBase<NioChannel>> handshakes = handshakes();

  BoundedEndpoint() {
    // Tomcat's own limit stops the acceptor; ours is in setSocketOptions.
    super.setMaxConnections(-1);
    // Closed channels are dropped: there is nothing expensive in ours.
    getSocketProperties().setBufferPool(0);
  }

  @Override
  public void setMaxConnections(int max) {
    connectionsMax = ConnectionBudget.bearable(max);
    turns = new Turns(ConnectionBudget.turns(connectionsMax));
    handshakes = handshakes();
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

  @Override
  public int getMaxConnections() {
    return connectionsMax;
  }

  int connections() {
    return connections.size();
  }

  /** Cuts what has waited too long for the rest of its input, or holds a turn for too long. */
  void cutOverdue(long now) {
    partial.overdue(now, SlowConnections.NANOS_MAX).forEach(this::cut);
    turns.overdue(now).forEach(BoundedEndpoint::cutUnderWay);
    handshakes.settleAll();
  }

  long refused() {
    return refused.sum();
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (connections.size() >= connectionsMax) {
      refused.increment();
      destroySocket(socket);
      return false;
    }
    return super.setSocketOptions(socket);
  }

  @Override
  protected NioChannel createChannel(SocketBufferHandler ignored) {
    return (isSSLEnabled() ? secureShelf : plainShelf).channel(this);
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
        return;
      }
      Turns taken = turns;
      if (!shaking.begin(connection) || !taken.begin(connection)) {
        refused.increment();
        taken.refuse(connection);
        return;
      }
      try {
        ScopedValue.where(LongTurn.CURRENT, () -> taken.prolong(connection)).run(this::turn);
      } finally {
        taken.end(connection);
        shaking.settle(connection);
      }
    }

    private void turn() {
      SocketWrapperBase<NioChannel> wrapper = socketWrapper;
      Lean lean = wrapper.getSocket() instanceof Lean open ? open : null;
      if (lean != null) {
        lean.wake();
        partial.resume(wrapper);
      }
      super.doRun();
      // This object may already serve another connection: only locals from here.
      if (lean != null && Lean.mayRest(wrapper)) {
        lean.rest();
        if (wrapper.isClosed() || !(lean.isHolding() || wrapper.getCurrentProcessor() != null)) {
          partial.remove(wrapper);
        } else {
          cut(partial.add(wrapper, System.nanoTime()));
        }
      }
    }
  }
}
