package org.sluiceca.hsm.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.sluiceca.hsm.Lane;

/**
 * One lane: its flows share it alike, each flow's jobs come in order of their deadlines or of
 * arrival. In {@link Lane#INTERACTIVE} the newest come first while a {@link StandingQueue} keeps
 * the oldest waiting for too long.
 */
final class LaneQueue<T extends Waiting> {

  /** Of flows that wait for nothing and are remembered for what they have had: some 500 KB. */
  private static final int ABSENT_MAX = 4_096;

  private final Lane lane;
  private final Comparator<Waiting> order;
  private final StandingQueue standing = new StandingQueue();

  private final Map<String, Flow<T>> flows = new HashMap<>();
  private final TreeSet<Flow<T>> present = new TreeSet<>(Flow::byStart);
  private final TreeSet<Flow<T>> absent = new TreeSet<>(Flow::byStart);
  private final LinkedHashSet<T> byArrival = new LinkedHashSet<>();
  private final LaneGauge gauge = new LaneGauge();
  private long workNanos;
  private long flowNumber;

  /** The start tag of the job that was served last. */
  private long virtualNanos;

  LaneQueue(Lane lane) {
    this.lane = lane;
    this.order =
        switch (lane) {
          case STATUS, RENEWAL -> Waiting::byDeadline;
          case INTERACTIVE, BULK -> Waiting::byArrival;
        };
  }

  void add(T job) {
    Flow<T> flow =
        flows.computeIfAbsent(job.schedule().flow(), name -> new Flow<>(name, flowNumber++, order));
    if (flow.isEmpty()) {
      absent.remove(flow);
      flow.join(virtualNanos);
      present.add(flow);
    }
    flow.add(job);
    byArrival.add(job);
    workNanos += job.stayNanos();
    publish();
  }

  /** Removes a job that is not served. */
  void remove(T job) {
    take(job, 0);
  }

  /** Removes a job because it is served now. */
  void served(T job) {
    take(job, job.costNanos());
  }

  private void take(T job, long costNanos) {
    Flow<T> flow = flows.get(job.schedule().flow());
    if (flow == null || !byArrival.remove(job)) {
      throw new IllegalStateException("a job that is not in lane " + lane);
    }
    present.remove(flow);
    flow.remove(job);
    if (costNanos > 0) {
      virtualNanos = flow.startNanos();
      flow.charge(costNanos);
    }
    (flow.isEmpty() ? absent : present).add(flow);
    workNanos -= job.stayNanos();
    forget();
    publish();
  }

  /** Who is away and has had no more than the others is as good as new. */
  private void forget() {
    while (!absent.isEmpty()
        && (present.isEmpty()
            || absent.getFirst().startNanos() <= virtualNanos
            || absent.size() > ABSENT_MAX)) {
      flows.remove(absent.removeFirst().name);
    }
  }

  /** Whose turn it is; the lane is not empty. */
  T first(long now) {
    boolean isNewestFirst =
        lane == Lane.INTERACTIVE && standing.isStanding(byArrival.getFirst(), now);
    Flow<T> flow = present.getFirst();
    return isNewestFirst ? flow.last() : flow.first();
  }

  boolean isEmpty() {
    return byArrival.isEmpty();
  }

  /** Empties the lane. */
  List<T> drain() {
    List<T> drained = new ArrayList<>(byArrival);
    byArrival.clear();
    flows.clear();
    present.clear();
    absent.clear();
    workNanos = 0;
    publish();
    return drained;
  }

  LaneGauge gauge() {
    return gauge;
  }

  private void publish() {
    gauge.publish(
        byArrival.size(),
        byArrival.isEmpty() ? 0 : byArrival.getFirst().enqueuedNanos(),
        workNanos);
  }
}
