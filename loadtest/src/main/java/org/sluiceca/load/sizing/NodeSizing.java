package org.sluiceca.load.sizing;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Machine;

/**
 * Plans the nodes of each region: for their work, their connections, and a crowd of clients whose
 * handshakes come at once. Pure.
 */
record NodeSizing(Demand demand, Machine machine, Sizing.Targets targets) {

  private static final double MICROS = 1e6;
  private static final double KB_PER_MB = 1024;

  Sized.Nodes plan() {
    double handshakes = demand.handshakesAtPeak();
    double micros =
        demand.kinds().stream()
            .mapToDouble(
                kind ->
                    kind.perSecond()
                        * demand.peakFactor()
                        * machine.certificateMicros(kind.issuerKey(), kind.subjectKey()))
            .sum();
    micros += handshakes * handshakeMicros();
    micros += demand.ocspAtPeak() * machine.node().ocsp();
    double coresBusy = micros / MICROS / demand.regions();
    double connections = demand.openConnections() / (double) demand.regions();
    Map<String, Integer> needs = needs(coresBusy, connections);
    int nodes = Collections.max(needs.values());
    long each = (long) Math.ceil(connections / nodes);
    double memoryMb =
        machine.memory().baseMb() + each * machine.memory().connectionKb() / KB_PER_MB;
    int perRegion = nodes + demand.spare();
    int all = perRegion * demand.regions();
    double idle = (double) nodes * targets.coresPerNode() - coresBusy;
    return new Sized.Nodes(
        perRegion,
        neededFor(needs),
        new Sized.Whole(all, all * targets.coresPerNode(), all * memoryMb),
        coresBusy,
        coresBusy / (nodes * targets.coresPerNode()),
        memoryMb,
        each,
        new Sized.Handshakes(
            handshakes, handshakeMicros(), fullHandshakeMicros(), crowdWork() / idle));
  }

  /** Returns what a crowd would use of the cores of these nodes, without spare ones. */
  double crowdUtilisation(Sized.Nodes nodes) {
    int cores = (nodes.perRegion() - demand.spare()) * targets.coresPerNode();
    return withCrowd(nodes.coresBusy()) / cores;
  }

  /** Nodes of a region, without spare ones, by what needs them. */
  private Map<String, Integer> needs(double coresBusy, double connections) {
    Map<String, Integer> needs = new LinkedHashMap<>();
    needs.put(
        "its work",
        Sizing.needed("nodes", coresBusy / (targets.coresPerNode() * targets.processors())));
    needs.put(
        "its connections", Sizing.needed("nodes", connections / machine.memory().connectionsMax()));
    if (demand.handshakesAtOnce() > 0) {
      // A crowd comes in the busiest hour and may have all that its work leaves.
      needs.put(
          "its handshakes at once",
          Sizing.needed("nodes", withCrowd(coresBusy) / targets.coresPerNode()));
    }
    return needs;
  }

  private static String neededFor(Map<String, Integer> needs) {
    int most = Collections.max(needs.values());
    return most == 1
        ? "one carries it all"
        : "for "
            + needs.entrySet().stream()
                .filter(need -> need.getValue() == most)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(" and "));
  }

  /** Cores of a region that are busy while a crowd comes. */
  private double withCrowd(double coresBusy) {
    return coresBusy + crowdWork() / demand.handshakesWithinSeconds();
  }

  /** Seconds of a core that a region's part of the crowd takes. */
  private double crowdWork() {
    return demand.handshakesAtOnce() * fullHandshakeMicros() / MICROS / demand.regions();
  }

  private double handshakeMicros() {
    double resumed = demand.resumedHandshakes();
    return resumed * machine.resumedHandshakeMicros() + (1 - resumed) * fullHandshakeMicros();
  }

  /** With the clients' certificates, by the kinds of key as they are asked for. */
  private double fullHandshakeMicros() {
    double all = demand.perSecond();
    double client =
        demand.kinds().stream()
            .mapToDouble(
                kind ->
                    (all == 0 ? 1.0 / demand.kinds().size() : kind.perSecond() / all)
                        * machine.clientCertificateMicros(kind.issuerKey(), kind.subjectKey()))
            .sum();
    return machine.node().handshake() + demand.clientCertificates() * client;
  }
}
