package org.sluiceca.api.wiring;

import org.sluiceca.core.admit.Admission;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The order of leaving: unready and refusing first, then the web server waits for its requests,
 * then the beans close, each after those that use it.
 */
@Component
final class NodeLifecycle implements SmartLifecycle {

  private final Admission admission;
  private final ApplicationEventPublisher events;
  private volatile boolean running;

  NodeLifecycle(Admission admission, ApplicationEventPublisher events) {
    this.admission = admission;
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
