package org.sluiceca.api.registration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.registration.store.RequestList;
import org.sluiceca.api.registration.store.RequestList.Count;
import org.sluiceca.api.registration.store.RequestList.Kind;

/**
 * Shows how many requests wait at each endpoint, and since when. Owns one platform thread; the
 * figures are those of the database, so each node shows the same ones, {@value #PERIOD_SECONDS} s
 * old at most.
 */
public final class RequestGauges implements AutoCloseable {

  private static final int PERIOD_SECONDS = 15;
  private static final Duration PERIOD = Duration.ofSeconds(PERIOD_SECONDS);

  /** A refused request waits for nothing. */
  private static final List<Kind> SHOWN = List.of(Kind.OPEN, Kind.PROCESSING);

  private final RequestList requests;
  private final InstantSource clock;
  private final MultiGauge waiting;
  private final MultiGauge oldest;
  private final PeriodicTask task;

  /** Shows nothing before {@link #start}. */
  public RequestGauges(RequestList requests, MeterRegistry registry, InstantSource clock) {
    this.requests = requests;
    this.clock = clock;
    this.waiting = MultiGauge.builder("ca.registration.waiting").register(registry);
    this.oldest =
        MultiGauge.builder("ca.registration.oldest").baseUnit("seconds").register(registry);
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                RequestGauges.class,
                "request-gauges",
                "waiting requests cannot be counted",
                PERIOD,
                PERIOD,
                Duration.ofSeconds(5)),
            isStopping -> {
              show();
              return PERIOD;
            });
  }

  /** Starts. */
  public void start() {
    task.start();
  }

  /** Counts once. Blocks for two statements. */
  void show() {
    Instant now = clock.instant();
    List<MultiGauge.Row<?>> counts = new ArrayList<>();
    List<MultiGauge.Row<?>> ages = new ArrayList<>();
    for (Kind kind : SHOWN) {
      for (Count count : requests.counts(kind)) {
        Tags tags =
            Tags.of("endpoint", count.endpoint(), "state", kind.name().toLowerCase(Locale.ROOT));
        counts.add(MultiGauge.Row.of(tags, count.requests()));
        ages.add(MultiGauge.Row.of(tags, Duration.between(count.oldest(), now).toMillis() / 1e3));
      }
    }
    waiting.register(counts, true);
    oldest.register(ages, true);
  }

  @Override
  public void close() {
    task.close();
  }
}
