package org.sluiceca.api.console.live.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.sluiceca.api.hsm.capacity.CapacityReader;
import org.sluiceca.api.issuance.backlog.BacklogWatch;
import org.sluiceca.core.admit.Admission;

/**
 * Reads the node: the meters that operators scrape, and the snapshots of the line and the tokens.
 * Thread-safe; never waits and never signs.
 */
public final class NodeReader implements Supplier<Reading> {

  private static final String ADMITTED = "admitted";

  private final MeterRegistry meters;
  private final Admission admission;
  private final CapacityReader tokens;
  private final BacklogWatch backlog;
  private final RequesterTally tally;
  private final ProtocolTally protocols;
  private final InstantSource clock;

  /** Reads these. */
  public NodeReader(
      MeterRegistry meters,
      Admission admission,
      CapacityReader tokens,
      BacklogWatch backlog,
      RequesterTally tally,
      ProtocolTally protocols,
      InstantSource clock) {
    this.meters = meters;
    this.admission = admission;
    this.tokens = tokens;
    this.backlog = backlog;
    this.tally = tally;
    this.protocols = protocols;
    this.clock = clock;
  }

  @Override
  public Reading get() {
    Map<String, Double> decisions = sums("ca.admission", "decision");
    Double admitted = decisions.remove(ADMITTED);
    double waits = 0;
    double waitSeconds = 0;
    for (Timer timer : meters.find("ca.sign.queue.wait").timers()) {
      waits += timer.count();
      waitSeconds += timer.totalTime(TimeUnit.SECONDS);
    }
    return new Reading(
        clock.instant(),
        System.nanoTime(),
        new Reading.Counts(
            admitted == null ? 0 : admitted,
            decisions,
            sums("ca.rejected", "reason"),
            sums("ca.issued", "alg").values().stream().mapToDouble(n -> n).sum(),
            waits,
            waitSeconds),
        tally.tallies(),
        protocols.tallies(),
        admission.occupancy(),
        tokens.tokens(),
        backlog.depths().total());
  }

  private Map<String, Double> sums(String name, String tag) {
    Map<String, Double> sums = new HashMap<>();
    for (Counter counter : meters.find(name).counters()) {
      String value = counter.getId().getTag(tag);
      sums.merge(value == null ? "" : value, counter.count(), Double::sum);
    }
    return sums;
  }
}
