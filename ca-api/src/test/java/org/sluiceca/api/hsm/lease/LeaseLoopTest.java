package org.sluiceca.api.hsm.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.hsm.lease.store.PostgresLeaseStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.testkit.Await;

/** The loop's threads over a real PostgreSQL; what they steer is made up. */
// Some 8 s: leases have to end, and connections come back seconds after a crash.
@Tag("slow")
class LeaseLoopTest {

  private static final PostgresForTests SERVER = PostgresForTests.toCrash();
  private static final Limits LIMITS = Limits.of(8, 64, 4);
  private static final int NODES = 3;

  private static final LeaseStatus NOT_YET =
      new LeaseStatus(false, Double.MAX_VALUE, false, Double.NaN, Optional.empty());

  private final Address address = SERVER.freshDatabase();
  private final List<Node> nodes = new ArrayList<>();

  /** A node whose jobs always take the base delay, and which always has more. */
  private final class Node {
    private final AtomicReference<Grant> grant = new AtomicReference<>(new Grant("", 0, 1));
    private final LedgerDatabase database = new LedgerDatabase(address);
    private final LeaseLoop loop;

    Node(String name) {
      SharedToken shared =
          new SharedToken(
              "token", LIMITS, this::report, (granted, untilNanos) -> grant.set(granted));
      this.loop = new LeaseLoop(() -> List.of(shared), name, new PostgresLeaseStore(database));
    }

    private NodeReport report(String name) {
      Sample sample = new Sample(60, 0.3, 0.002, 2.4, 0, 0, 3, 1);
      return new NodeReport(name, 99, grant.get().width(), 0, sample, grant.get().number());
    }

    LeaseStatus status() {
      return loop.status("token").orElse(NOT_YET);
    }
  }

  @BeforeEach
  void start() {
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Node("node-" + i));
    }
    nodes.getFirst().database.migrate();
    SERVER.checkpoint();
    nodes.forEach(node -> node.loop.start());
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.loop.close());
    nodes.forEach(node -> node.database.close());
  }

  @Test
  void threads_leaderGoesAndDatabaseCrashes_leasedAgainAndNeverTooWide() {
    Await.until(
        "all are leased by one of them",
        () -> nodes.stream().allMatch(n -> n.status().isLeased()) && leaders(nodes) == 1);
    Node leader = nodes.stream().filter(n -> n.status().leads()).findFirst().orElseThrow();

    leader.loop.close();
    // How soon, LeaseMemberTest says, in its own time.
    Await.until(
        "another leads", () -> nodes.stream().anyMatch(n -> n != leader && n.status().leads()));
    assertThat(leader.status().isLeased()).isFalse();

    List<Node> survivors = nodes.stream().filter(n -> n != leader).toList();
    SERVER.crash(address);
    long crashed = System.nanoTime();
    // What one says of itself is as old as its last turn, so that two may lead for a moment.
    Await.until(
        "the survivors have heard of leases since, and one of them leads",
        () ->
            survivors.stream()
                    .map(Node::status)
                    .allMatch(s -> s.leaseAgeSeconds() < (System.nanoTime() - crashed) / 1e9)
                && leaders(survivors) == 1);

    double widths = survivors.stream().mapToDouble(n -> n.grant.get().width()).sum();
    assertThat(widths).isPositive().isLessThanOrEqualTo(LIMITS.windowMax() + 1e-9);
  }

  private static long leaders(List<Node> nodes) {
    return nodes.stream().filter(node -> node.status().leads()).count();
  }
}
