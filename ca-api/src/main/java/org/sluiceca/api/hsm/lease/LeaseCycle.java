package org.sluiceca.api.hsm.lease;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.LeaderView;
import org.sluiceca.hsm.limit.lease.LeaseMember;
import org.sluiceca.hsm.limit.lease.LeaseStore;

/**
 * One token's cycle in the lease loop: connects the token's signer to the store and logs the
 * result. One thread owns {@link #run}; any thread may call {@link #status}. The clock is injected.
 */
final class LeaseCycle {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseCycle.class);

  private record Last(
      long heldNanos,
      long untilNanos,
      boolean leads,
      double delaySeconds,
      @Nullable LeaderView view) {}

  private final SharedToken token;
  private final String node;
  private final LeaseStore store;
  private final LongSupplier nanoTime;
  private final LeaseMember member;
  private boolean isTold;
  private boolean wasLeased;
  private boolean wasLeading;
  private boolean hadTooMany;

  private volatile Last last;

  LeaseCycle(SharedToken token, String node, LeaseStore store, LongSupplier nanoTime) {
    this.token = token;
    this.node = node;
    this.store = store;
    this.nanoTime = nanoTime;
    this.member = new LeaseMember(token.hsm(), token.limits(), store, nanoTime);
    long now = nanoTime.getAsLong();
    this.last = new Last(now, now, false, Double.NaN, null);
  }

  /** Reports, asks, leads if it is its part, and hands the grant to the signer. */
  void run() {
    NodeReport report = token.reporter().apply(node);
    long asked = nanoTime.getAsLong();
    long heldNanos = last.heldNanos();
    long untilNanos = last.untilNanos();
    String why = "none was granted";
    try {
      Optional<LeaseMember.Use> use = member.beat(report);
      if (use.isPresent()) {
        token.lessee().accept(use.get().grant(), use.get().untilNanos());
        heldNanos = asked;
        untilNanos = use.get().untilNanos();
      }
    } catch (LeaseStore.Unavailable e) {
      why = String.valueOf(e.getCause());
    }
    last =
        new Last(
            heldNanos,
            untilNanos,
            member.leads(),
            delay(report.sample()),
            member.view().orElse(null));
    tell(why);
  }

  /** Gives back what the node has, so that the others need not wait until it is over. */
  void leave() {
    try {
      store.leave(token.hsm(), node);
    } catch (LeaseStore.Unavailable e) {
      LOG.info(
          "token {}: the lease is not given back, and ends by itself: {}",
          token.hsm(),
          String.valueOf(e.getCause()));
    }
    Last read = last;
    last =
        new Last(read.heldNanos(), nanoTime.getAsLong(), false, read.delaySeconds(), read.view());
  }

  private static double delay(Sample sample) {
    return sample.completions() == 0 ? Double.NaN : sample.meanDelay();
  }

  private void tell(String why) {
    LeaseStatus now = status();
    if (now.isLeased() && (!isTold || !wasLeased)) {
      LOG.info("token {}: the window is leased", token.hsm());
    } else if (!now.isLeased() && wasLeased) {
      LOG.warn("token {}: no lease, {}; this node finds its window alone", token.hsm(), why);
    }
    if (now.leads() != wasLeading) {
      LOG.info(
          "token {}: this node {} the window",
          token.hsm(),
          now.leads() ? "divides" : "no more divides");
    }
    boolean hasTooMany = now.view().filter(v -> v.nodes() > token.limits().nodesMax()).isPresent();
    if (hasTooMany && !hadTooMany) {
      LOG.warn(
          "token {}: more than {} nodes share it: raise sluice.hsm.nodes-max on all of them",
          token.hsm(),
          token.limits().nodesMax());
    }
    isTold = isTold || now.isLeased();
    wasLeased = now.isLeased();
    wasLeading = now.leads();
    hadTooMany = hasTooMany;
  }

  String hsm() {
    return token.hsm();
  }

  LeaseStatus status() {
    Last read = last;
    long now = nanoTime.getAsLong();
    return new LeaseStatus(
        now - read.untilNanos() < 0,
        (now - read.heldNanos()) / 1e9,
        read.leads(),
        read.delaySeconds(),
        Optional.ofNullable(read.view()));
  }
}
