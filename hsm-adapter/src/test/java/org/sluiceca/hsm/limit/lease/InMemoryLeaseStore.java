package org.sluiceca.hsm.limit.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;

/**
 * A database in memory, as one node reaches it; all nodes that share a {@link Tables} share the
 * database. Keeps {@link LeaseStoreContract}, unless a fault is planted.
 */
public class InMemoryLeaseStore implements LeaseStore {

  /** What breaks the contract. */
  enum Fault {
    NONE,
    /** A grant counts whichever node leads by now. */
    DEPOSED_LEADER_GRANTS,
    /** What is left of a grant is reckoned by the reader's clock. */
    EXPIRY_BY_NODE_CLOCK,
    /** A grant ends so long after it was written, not after the reports were read. */
    EXPIRY_FROM_WRITING,
    /** Whether the leader's lease is over is judged by the asker's clock. */
    LEADER_BY_NODE_CLOCK,
    /** Another leader goes on in the epoch of the one before. */
    SAME_EPOCH,
    /** Every node that asks leads. */
    TWO_LEADERS,
    /** One that has forgotten that it led goes on in its epoch. */
    FORGOTTEN_EPOCH_GOES_ON,
    /** Epochs are counted from the lease alone, which may have been restored from a backup. */
    RESTORED_EPOCH_USED_AGAIN,
    /** A silent node is alive. */
    SILENT_NODE_LIVES,
    /** Rows are never removed. */
    NOTHING_FORGOTTEN,
    /** An older grant replaces a newer. */
    OLDER_GRANT_REPLACES,
    /** One lease for all tokens. */
    TOKENS_MIXED,
    /** One that has left is alive until it would have been silent. */
    LEFT_NODE_LIVES,
    /** The lease of a leader that has left runs on. */
    LEFT_LEADER_LEADS,
    /** What was granted to one that has left is still read. */
    LEFT_GRANT_LIVES,
    /** A node that leaves ends the lease of the leader. */
    LEAVING_DEPOSES_OTHERS
  }

  private record Lease(String node, int epoch, Instant until) {}

  private record Granted(Grant grant, Instant until) {}

  private record Key(String hsm, String node) {}

  /** The database's rows and its clock. */
  public static final class Tables {
    private final Map<Key, Reported> reports = new HashMap<>();
    private final Map<String, Lease> leases = new HashMap<>();
    private final Map<Key, Granted> grants = new HashMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** When true, the database does not answer. */
    public boolean isAway;

    /** Lets time pass in the database. */
    public synchronized void pass(Duration time) {
      now = now.plus(time);
    }

    /** As when an old copy takes over: who leads is kept, in epoch 0. Returns the one before. */
    synchronized int loseEpochs() {
      int highest = leases.values().stream().mapToInt(Lease::epoch).max().orElse(0);
      leases.replaceAll((hsm, lease) -> new Lease(lease.node(), 0, lease.until()));
      return highest;
    }
  }

  private final Tables tables;
  private final Fault fault;
  private final Duration clockSkew;

  /** A sound store. */
  public InMemoryLeaseStore(Tables tables) {
    this(tables, Fault.NONE, Duration.ZERO);
  }

  InMemoryLeaseStore(Tables tables, Fault fault, Duration clockSkew) {
    this.tables = tables;
    this.fault = fault;
    this.clockSkew = clockSkew;
  }

  @Override
  public Answer exchange(String hsm, NodeReport report, OptionalInt leading) {
    synchronized (tables) {
      answering();
      tables.reports.put(new Key(hsm, report.node()), new Reported(report, tables.now));
      return new Answer(
          leadership(hsm, report.node(), leading),
          held(tables.grants.get(new Key(hsm, report.node()))));
    }
  }

  private Optional<Leadership> leadership(String asked, String node, OptionalInt leading) {
    String hsm = is(Fault.TOKENS_MIXED) ? "" : asked;
    Lease lease = tables.leases.getOrDefault(hsm, new Lease("", 0, Instant.EPOCH));
    boolean isMine = lease.node().equals(node);
    if (!isMine
        && lease.until().isAfter(clock(Fault.LEADER_BY_NODE_CLOCK))
        && !is(Fault.TWO_LEADERS)) {
      return Optional.empty();
    }
    boolean goesOn =
        isMine
            && (is(Fault.FORGOTTEN_EPOCH_GOES_ON) || leading.equals(OptionalInt.of(lease.epoch())));
    long seen =
        is(Fault.RESTORED_EPOCH_USED_AGAIN)
            ? 0
            : tables.reports.entrySet().stream()
                .filter(r -> r.getKey().hsm().equals(asked))
                .mapToLong(r -> LeaseController.epochOf(r.getValue().report().grantSeen()))
                .max()
                .orElse(0);
    int epoch =
        goesOn || (is(Fault.SAME_EPOCH) && lease.epoch() > 0)
            ? lease.epoch()
            : (int) Math.max(lease.epoch(), seen) + 1;
    tables.leases.put(hsm, new Lease(node, epoch, tables.now.plus(LeaseController.LEASE)));
    return Optional.of(new Leadership(asked, node, epoch));
  }

  private Optional<Held> held(@Nullable Granted granted) {
    if (granted == null) {
      return Optional.empty();
    }
    Duration left = Duration.between(clock(Fault.EXPIRY_BY_NODE_CLOCK), granted.until());
    return left.isPositive() ? Optional.of(new Held(granted.grant(), left)) : Optional.empty();
  }

  @Override
  public Roll roll(String hsm) {
    synchronized (tables) {
      answering();
      if (!is(Fault.NOTHING_FORGOTTEN)) {
        tables.reports.values().removeIf(r -> isOlder(r.at(), KEPT));
        tables.grants.values().removeIf(g -> isOlder(g.until(), KEPT));
      }
      List<Reported> living =
          tables.reports.entrySet().stream()
              .filter(r -> r.getKey().hsm().equals(hsm))
              .map(Map.Entry::getValue)
              .filter(r -> is(Fault.SILENT_NODE_LIVES) || !isOlder(r.at(), LeaseController.LEASE))
              .toList();
      return new Roll(living, tables.now);
    }
  }

  @Override
  public boolean grant(Leadership leadership, List<Grant> grants, Instant readAt) {
    synchronized (tables) {
      answering();
      Lease lease = tables.leases.get(is(Fault.TOKENS_MIXED) ? "" : leadership.hsm());
      boolean leads =
          lease != null
              && lease.node().equals(leadership.node())
              && lease.epoch() == leadership.epoch();
      if (!leads && !is(Fault.DEPOSED_LEADER_GRANTS)) {
        return false;
      }
      Instant from = is(Fault.EXPIRY_FROM_WRITING) ? tables.now : readAt;
      for (Grant grant : grants) {
        Granted fresh = new Granted(grant, from.plus(LeaseController.LEASE));
        tables.grants.merge(
            new Key(leadership.hsm(), grant.node()),
            fresh,
            (old, any) ->
                old.grant().number() > grant.number() && !is(Fault.OLDER_GRANT_REPLACES)
                    ? old
                    : fresh);
      }
      return true;
    }
  }

  @Override
  public void leave(String hsm, String node) {
    synchronized (tables) {
      answering();
      Key key = new Key(hsm, node);
      if (!is(Fault.LEFT_NODE_LIVES)) {
        tables.reports.computeIfPresent(
            key, (k, r) -> new Reported(r.report(), tables.now.minus(LeaseController.LEASE)));
      }
      if (!is(Fault.LEFT_GRANT_LIVES)) {
        tables.grants.computeIfPresent(key, (k, g) -> new Granted(g.grant(), tables.now));
      }
      if (!is(Fault.LEFT_LEADER_LEADS)) {
        tables.leases.computeIfPresent(
            is(Fault.TOKENS_MIXED) ? "" : hsm,
            (k, lease) ->
                lease.node().equals(node) || is(Fault.LEAVING_DEPOSES_OTHERS)
                    ? new Lease(lease.node(), lease.epoch(), tables.now)
                    : lease);
      }
    }
  }

  /** Returns the rows that are kept of a token. */
  int rows(String hsm) {
    synchronized (tables) {
      return (int)
          (tables.reports.keySet().stream().filter(k -> k.hsm().equals(hsm)).count()
              + tables.grants.keySet().stream().filter(k -> k.hsm().equals(hsm)).count());
    }
  }

  private void answering() {
    if (tables.isAway) {
      throw new Unavailable("away", new IllegalStateException("away"));
    }
  }

  private Instant clock(Fault byNode) {
    return is(byNode) ? tables.now.plus(clockSkew) : tables.now;
  }

  private boolean isOlder(Instant at, Duration age) {
    return !at.plus(age).isAfter(tables.now);
  }

  private boolean is(Fault asked) {
    return fault == asked;
  }
}
