package org.sluiceca.hsm.limit.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.lease.LeaseStore.Leadership;

/**
 * One node's part in sharing one token: it reports, leads if no node does, and learns what it may
 * use. One {@link #beat} a {@link LeaseController#PERIOD}. Owned by one thread; takes the time from
 * a monotonic clock.
 */
public final class LeaseMember {
  /*
   * Two clocks, and what keeps them apart. The store's time says who leads and when a grant ends.
   * A node turns what is left of a grant into its own time, counted from before it asked: so it
   * never uses a grant for longer than the store thinks. A leader's book of grants runs by the
   * leader's own time, read after the reports were: a grant ends, by the store, LEASE after they
   * were read, so the leader never forgets it earlier than that.
   */

  private final String hsm;
  private final Limits limits;
  private final LeaseStore store;
  private final LongSupplier nanoTime;

  /** When the report that was last counted came, by node. */
  private final Map<String, Instant> counted = new HashMap<>();

  private @Nullable Leadership leadership;
  private @Nullable LeaseController controller;
  private long beatNanos;

  /**
   * A node that has heard nothing yet.
   *
   * @param hsm the token
   * @param nanoTime as {@link System#nanoTime}
   */
  public LeaseMember(String hsm, Limits limits, LeaseStore store, LongSupplier nanoTime) {
    this.hsm = hsm;
    this.limits = limits;
    this.store = store;
    this.nanoTime = nanoTime;
  }

  /** A grant and when it ends, on the node's own clock. */
  public record Use(Grant grant, long untilNanos) {}

  /**
   * Reports to the other nodes, and asks for this node's grant. If this node leads, it divides the
   * window as well; it reads its grant to itself in its next beat, like every node.
   *
   * @return the node's grant, if it has one that lives
   * @throws LeaseStore.Unavailable if the store does not answer; to be tried again after a period
   */
  public Optional<Use> beat(NodeReport report) {
    long before = nanoTime.getAsLong();
    if (before - beatNanos > LeaseController.LEASE.toNanos()) {
      // Away for so long, it would divide among the few that came back as fast as itself.
      resign();
    }
    Leadership was = leadership;
    LeaseStore.Answer answer =
        store.exchange(
            hsm, report, was == null ? OptionalInt.empty() : OptionalInt.of(was.epoch()));
    beatNanos = before;
    answer.leadership().ifPresentOrElse(this::lead, this::resign);
    return answer.held().map(held -> new Use(held.grant(), before + held.left().toNanos()));
  }

  private void lead(Leadership current) {
    LeaseController mind = controller;
    if (mind == null || !current.equals(leadership)) {
      resign();
      mind = new LeaseController(limits, current.epoch(), nanoTime.getAsLong());
      controller = mind;
      leadership = current;
    }
    LeaseStore.Roll roll = store.roll(hsm);
    long readNanos = nanoTime.getAsLong();
    if (roll.living().stream().anyMatch(r -> epochOf(r.report()) > current.epoch())) {
      // The store has lost an epoch, as a replica may that took over: begin above it.
      resign();
      return;
    }
    List<Grant> grants = mind.update(news(roll), readNanos);
    if (!grants.isEmpty() && !store.grant(current, grants, roll.at())) {
      resign();
    }
  }

  private static long epochOf(NodeReport report) {
    return LeaseController.epochOf(report.grantSeen());
  }

  /**
   * The reports, each counted once. Of a node that has not spoken since the last time it is assumed
   * that it goes on as before; without it the token would seem slower.
   */
  private List<NodeReport> news(LeaseStore.Roll roll) {
    List<NodeReport> reports = new ArrayList<>();
    Map<String, Instant> now = new HashMap<>();
    for (LeaseStore.Reported reported : roll.living()) {
      NodeReport report = reported.report();
      now.put(report.node(), reported.at());
      boolean isOld = reported.at().equals(counted.get(report.node()));
      reports.add(isOld ? report.with(report.sample().withoutBusy()) : report);
    }
    counted.clear();
    counted.putAll(now);
    return reports;
  }

  private void resign() {
    leadership = null;
    controller = null;
    counted.clear();
  }

  /** Returns whether this node leads, as far as it knows. */
  public boolean leads() {
    return leadership != null;
  }

  /** Returns what the leader sees; empty if another leads, or there was nothing to see yet. */
  public Optional<LeaderView> view() {
    return Optional.ofNullable(controller).flatMap(LeaseController::view);
  }
}
