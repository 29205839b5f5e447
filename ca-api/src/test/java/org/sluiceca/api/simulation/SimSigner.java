package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.lane.SteppedLane;

/** A node's lane: the real machine, with the simulation's tasks for waiters and sessions. */
final class SimSigner implements IssuerSigner {

  static final int CAPACITY = 6;
  static final int SESSIONS = 2;

  /** As {@code sluice.hsm.call-timeout}. */
  private static final long CALL_MAX = Duration.ofSeconds(5).toNanos();

  private static final long LONG = Duration.ofHours(1).toNanos();

  private static final class Job {
    private final RecordedIntent intent;
    private Baton.@Nullable Task waiter;
    private @Nullable OctetString signature;
    private @Nullable SignerUnavailable failure;

    Job(RecordedIntent intent, Baton.Task waiter) {
      this.intent = intent;
      this.waiter = waiter;
    }

    void fail(String message, boolean mayHaveSigned) {
      if (failure == null) {
        failure = new SignerUnavailable(message, mayHaveSigned, null);
      }
    }

    boolean isOver() {
      return signature != null || failure != null;
    }
  }

  private final World world;
  private final SimNode node;
  private final SimToken token;
  private final SteppedLane<Job> lane = new SteppedLane<>(CAPACITY, SESSIONS);
  private final List<Baton.Task> sessions = new ArrayList<>();

  SimSigner(World world, SimNode node, SimToken token) {
    this.world = world;
    this.node = node;
    this.token = token;
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(world.baton().spawn("session", node, this::work));
    }
  }

  boolean isUsable() {
    return token.isUsable();
  }

  int[] sizes() {
    return lane.sizes();
  }

  @Override
  public OctetString sign(Signable signable, SignSchedule schedule) {
    node.boundary("sign begins");
    if (!token.isUsable()) {
      throw new SignerUnavailable("token lost", false, null);
    }
    Job job = new Job((RecordedIntent) signable, world.baton().current());
    if (!lane.offer(job, schedule.signBy().atNanos(), ticks())) {
      throw new SignerUnavailable("the lane is full", false, null);
    }
    sessions.forEach(world.baton()::wake);
    try {
      while (!job.isOver()) {
        Optional<Long> until = lane.waitUntil(job, CALL_MAX, ticks(), m -> job.fail("too late", m));
        if (until.isPresent()) {
          world.baton().await(world.now() + until.get() - ticks());
        } else if (!job.isOver()) {
          throw new IllegalStateException("the lane lost a job");
        }
      }
    } finally {
      job.waiter = null;
    }
    node.boundary("sign answered");
    OctetString signature = job.signature;
    if (job.failure != null || signature == null) {
      throw job.failure == null ? new SignerUnavailable("nothing", true, null) : job.failure;
    }
    return signature;
  }

  private void work() {
    while (true) {
      Optional<Job> job = lane.take(ticks(), dropped -> end(dropped, "dropped", false));
      if (job.isPresent()) {
        execute(job.get());
      } else {
        world.baton().await(world.now() + LONG);
      }
    }
  }

  private void execute(Job job) {
    long start = ticks();
    try {
      OctetString signature = token.sign(node, job.intent);
      if (lane.finish(job, ticks() - start, ticks())) {
        job.signature = signature;
      }
    } catch (SimToken.Fault fault) {
      if (!fault.reachedSign() && lane.giveBack(job, ticks())) {
        world.baton().pass(Duration.ofMillis(1).toNanos());
        return;
      }
      if (lane.fail(job, ticks())) {
        job.fail(String.valueOf(fault.getMessage()), fault.reachedSign());
      }
    }
    wake(job);
  }

  private void end(Job job, String why, boolean mayHaveSigned) {
    job.fail(why, mayHaveSigned);
    wake(job);
  }

  private void wake(Job job) {
    Baton.Task waiter = job.waiter;
    if (waiter != null) {
      world.baton().wake(waiter);
    }
  }

  private long ticks() {
    return node.ticker().nanoTime();
  }
}
