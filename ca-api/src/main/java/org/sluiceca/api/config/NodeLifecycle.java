package org.sluiceca.api.config;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.edge.DrainFilter;
import org.sluiceca.core.admit.Admission;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The order of leaving: unready first, while requests are served as before until balancers have
 * seen it; then refusing, while the web server waits for its requests; then the beans close, each
 * after those that use it.
 */
@Component
final class NodeLifecycle implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(NodeLifecycle.class);

  private final Admission admission;
  private final DrainFilter leaving;
  private final Duration notice;
  private final ApplicationEventPublisher events;
  private volatile boolean running;

  NodeLifecycle(
      Admission admission,
      DrainFilter leaving,
      CaProperties properties,
      ApplicationEventPublisher events) {
    this.admission = admission;
    this.leaving = leaving;
    this.notice = properties.line().leaveNotice();
    this.events = events;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    AvailabilityChangeEvent.publish(events, this, ReadinessState.REFUSING_TRAFFIC);
    leaving.begin();
    LOG.info("leaving: not ready any more, requests are refused in {} ms", notice.toMillis());
    try {
      Thread.sleep(notice);
    } catch (InterruptedException e) {
      // A node that cannot wait leaves at once.
      Thread.currentThread().interrupt();
    }
    admission.drain();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stopped before everything else, the web server's graceful shutdown among it. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
