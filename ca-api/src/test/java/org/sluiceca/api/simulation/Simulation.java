package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.admit.Occupancy;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.time.Deadline;

/** Runs one world from its first request to its healing, and says what was wrong with it. */
final class Simulation {

  /** What the nodes of one world share. */
  record Shared(SimDatabase database, SimToken token, SimRegistry registry, Mutant mutant) {}

  /**
   * What a run came to.
   *
   * @param found the broken promises, empty if none
   * @param hash over everything that happened
   * @param lines what happened, if that was asked for
   */
  record Result(List<String> found, long hash, List<String> lines, Counts counts) {}

  /** What the worlds had in them, to tell whether they were worth it. */
  record Counts(
      long worlds,
      long events,
      long intents,
      long issued,
      long abandoned,
      long takenOver,
      long crashes) {

    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

    Counts plus(Counts more) {
      return new Counts(
          worlds + more.worlds,
          events + more.events,
          intents + more.intents,
          issued + more.issued,
          abandoned + more.abandoned,
          takenOver + more.takenOver,
          crashes + more.crashes);
    }
  }

  /** After the last fault, how long every promise may take at most: hangs, claims, passes. */
  private static final long END_MAX = World.HEAL_AT + Duration.ofSeconds(260).toNanos();

  private static final Duration LOOK = Duration.ofSeconds(3);
  private static final Duration FAR = Duration.ofDays(1);

  private final World world;
  private final Shared shared;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private int crashes;

  private Simulation(Workload workload, Mutant mutant, boolean isTraced) {
    this.world = new World(workload, isTraced);
    SimDatabase database = mutant.database(world);
    SimToken token = new SimToken(world, database.oracle());
    SimRegistry registry = new SimRegistry(world);
    this.shared = new Shared(database, token, registry, mutant);
  }

  static Result run(Workload workload, Mutant mutant, boolean isTraced)
      throws InterruptedException {
    return new Simulation(workload, mutant, isTraced).run();
  }

  private Result run() throws InterruptedException {
    Dice dice = world.dice();
    if (dice.chance(0.15)) {
      shared.registry().retireAt(dice.nanos(Duration.ZERO, Duration.ofSeconds(40)));
    }
    for (int i = 0; i < world.workload().nodes(); i++) {
      nodes.add(new SimNode(world, shared, i, 0));
      int slot = i;
      world.baton().spawn("supervisor", null, () -> supervise(slot));
    }
    long spread = dice.chance(0.4) ? 300 : 30_000;
    for (int i = 0; i < world.workload().clients(); i++) {
      Client client = Client.of(world, nodes, shared.database().oracle(), i);
      clients.add(client);
      client.start((int) spread);
    }
    world.baton().spawn("end", null, this::end);
    world.baton().run();
    SimDatabase database = shared.database();
    return new Result(
        world.found(),
        world.trace().hash(),
        world.trace().lines(),
        new Counts(
            1,
            world.baton().events(),
            database.intents.size(),
            database.count(true),
            database.count(false),
            database.claims.size(),
            crashes));
  }

  /** Starts a node again some time after it died, and now and then sets the database's clock. */
  private void supervise(int slot) {
    int run = 0;
    while (true) {
      world.baton().pass(Duration.ofSeconds(1).toNanos());
      if (nodes.get(slot).isDead()) {
        crashes++;
        world.baton().pass(world.dice().millis(100, 15_000));
        nodes.set(slot, new SimNode(world, shared, slot, ++run));
      }
      if (world.strikes(world.weather().database().clockStep(), "database clock set")) {
        long step = world.dice().millis(0, 30_000);
        shared.database().setClock(world.dice().chance(0.5) ? step : -step);
      }
    }
  }

  /** Waits for the world to heal and for every promise to be kept, then judges. */
  private void end() {
    world.baton().pass(World.HEAL_AT);
    while (world.now() < END_MAX && !isOver()) {
      world.baton().pass(LOOK.toNanos());
    }
    for (Client client : clients) {
      client.judge(shared.database());
    }
    shared.database().oracle().judgeTheEnd(shared.registry().isRetired());
    nodes.forEach(this::judgePlaces);
    world.baton().stop();
  }

  private boolean isOver() {
    return clients.stream().allMatch(Client::isOver)
        && nodes.stream().noneMatch(n -> n.isDead() || n.isFrozen(world.now()))
        && nodes.stream().allMatch(n -> n.admission().occupancy().inFlight() == 0)
        && shared.database().outcomes.size() == shared.database().intents.size();
  }

  /**
   * Every place of a healed line was given back, once. A lane takes fewer than all, by what it
   * learnt of the signer and by its requesters' shares, so the places are counted, not tried.
   */
  private void judgePlaces(SimNode node) {
    Oracle oracle = shared.database().oracle();
    oracle.check(!node.isDead() && !node.isFrozen(world.now()), "a node that did not heal");
    Deadline far = Deadline.after(FAR, node.ticker());
    Occupancy line = node.admission().occupancy();
    int listed = line.lanes().stream().mapToInt(Occupancy.LaneOccupancy::depth).sum();
    oracle.check(line.inFlight() <= 0, "a place was not given back");
    oracle.check(line.inFlight() >= 0, "more places than there are");
    oracle.check(listed == 0, "a lane has a place that was given back");
    oracle.check(
        node.admission().admit(Lane.INTERACTIVE, Fixtures.requester().id(), far)
            instanceof LinePermit,
        "a line without work takes none");
  }
}
