package org.sluiceca.api.http.connector;

import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.connector.evict.ConnectionSweep;

/**
 * HTTP/1.1 over connections that are bounded in number, memory and time; what Tomcat leaves open.
 * Tomcat makes it by its name, so it is public and has a constructor without parameters.
 */
public final class BoundedProtocol extends Http11NioProtocol {

  /** A limit of 10 s is kept to a tenth; 10,000 connections are looked through in 2 ms. */
  private static final long SWEEP_SECONDS = 1;

  /** The longest wait of the poller while no connection is open. */
  private static final long POLL_SECONDS = 60;

  private final BoundedEndpoint endpoint;

  private final ConnectionSweep sweep;

  public BoundedProtocol() {
    this(new BoundedEndpoint());
  }

  private BoundedProtocol(BoundedEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
    this.sweep =
        new ConnectionSweep(
            endpoint::connections,
            List.of(
                new SlowConnections(endpoint::getConnections, System::nanoTime),
                () -> endpoint.cutOverdue(System.nanoTime()),
                endpoint::wakePoller),
            this::eachSecond);
    endpoint.whenConnected(sweep::connected);
    // The poller wakes for events; its timeouts are for connections, and sweep wakes it for those.
    endpoint.setSelectorTimeout(TimeUnit.SECONDS.toMillis(POLL_SECONDS));
  }

  @Override
  protected Processor createProcessor() {
    return new StatelessHttp11(this, getAdapter());
  }

  @Override
  public void start() throws Exception {
    super.start();
    sweep.start();
  }

  /** Tomcat's own look each second, at answers that are late, is for connections as well. */
  private Runnable eachSecond(Runnable step) {
    ScheduledFuture<?> sweeps =
        getUtilityExecutor()
            .scheduleWithFixedDelay(step, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    super.startAsyncTimeout();
    return () -> {
      sweeps.cancel(false);
      super.stopAsyncTimeout();
    };
  }

  // Tomcat calls this each minute, in case its periodic task has failed.
  @Override
  protected void startAsyncTimeout() {
    sweep.whileAwake(super::startAsyncTimeout);
  }

  @Override
  public void stop() throws Exception {
    sweep.stop();
    super.stop();
  }

  /**
   * Returns how many requests may be in progress at once on a connector with this number of
   * connections; -1 for as many as the heap bears.
   */
  public static int requestsMax(int connectionsMax) {
    return ConnectionBudget.slots(ConnectionBudget.bearable(connectionsMax));
  }

  /** Sets what this port is limited to, before it is opened. */
  public void limit(HttpSettings limits) {
    endpoint.limit(limits);
  }

  /** Returns how many connections are open now. */
  public int connections() {
    return endpoint.connections();
  }

  /** Returns how many connections may be open at once. */
  public int connectionsMax() {
    return endpoint.getMaxConnections();
  }

  /** Returns how many idle connections were closed so that new ones could be served. */
  public long evicted() {
    return endpoint.evicted();
  }

  /** Returns how many connections are kept open after a request. */
  int kept() {
    return endpoint.kept();
  }

  /** Returns how many requests wait for their bodies now. */
  int bodiesWaiting() {
    return endpoint.bodiesWaiting();
  }

  /** Returns how many requests were ended because their bodies were slow or too many. */
  public long bodiesCut() {
    return endpoint.bodiesCut();
  }

  /** Returns how many were closed unread because too many were open, or in a request for long. */
  public long refused() {
    return endpoint.refused();
  }
}
