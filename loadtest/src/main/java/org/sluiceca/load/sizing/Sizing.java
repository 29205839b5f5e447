package org.sluiceca.load.sizing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;
import org.sluiceca.load.sizing.given.SizingException;

/** Plans a deployment. Pure: the same input has the same answer. */
public final class Sizing {

  private static final double MICROS = 1e6;
  private static final double KB_PER_MB = 1024;
  private static final double DAYS_PER_YEAR = 365;

  private final Demand demand;
  private final Machine machine;
  private final Hsm hsm;
  private final Targets targets;

  /**
   * How full things may be in the busiest hour, when all that may be lost is lost.
   *
   * @param hsm of an HSM's time, above 0 and below 1
   * @param processors of nodes' and the database's, above 0 and below 1
   * @param coresPerNode 1 to 256
   * @param databaseCores 1 to 256
   * @param hsmsGiven how many HSMs each region has, spare ones included, up to 100,000; 0: as many
   *     as are needed
   */
  public record Targets(
      double hsm, double processors, int coresPerNode, int databaseCores, int hsmsGiven) {

    /**
     * At 80 % jobs of one engine wait for two others; at 60 % a node that starts or collects
     * garbage still keeps up.
     */
    public static final Targets DEFAULT = new Targets(0.8, 0.6, 2, 8, 0);

    public Targets {
      if (!(hsm > 0 && hsm < 1) || !(processors > 0 && processors < 1)) {
        throw new SizingException("a target is to be above 0 and below 1");
      }
      if (coresPerNode < 1 || coresPerNode > 256 || databaseCores < 1 || databaseCores > 256) {
        throw new SizingException("cores are to be 1 to 256");
      }
      if (hsmsGiven < 0 || hsmsGiven > 100_000) {
        throw new SizingException("HSMs are to be 1 to 100,000 a region");
      }
    }
  }

  private Sizing(Demand demand, Machine machine, Hsm hsm, Targets targets) {
    this.demand = demand;
    this.machine = machine;
    this.hsm = hsm;
    this.targets = targets;
  }

  /**
   * Plans it.
   *
   * @throws SizingException if a rate is missing, or it would need more than 100,000 of anything
   */
  public static Sized of(Demand demand, Machine machine, Hsm hsm, Targets targets) {
    return new Sizing(demand, machine, hsm, targets).plan();
  }

  private Sized plan() {
    Sized.Signing signing = signing();
    Sized.Nodes nodes = nodes();
    Sized.Database database = database();
    return new Sized(
        demand.perSecond(),
        peak(),
        signing,
        nodes,
        database,
        resources(signing, nodes, database),
        lacks(signing, database),
        alternatives());
  }

  private List<Sized.Resource> resources(
      Sized.Signing signing, Sized.Nodes nodes, Sized.Database database) {
    List<Sized.Resource> resources = new ArrayList<>();
    resources.add(resource("HSM", signing.utilisation()));
    resources.add(resource("processors of nodes", nodes.utilisation()));
    resources.add(resource("processors of the database", database.utilisation()));
    resources.add(
        resource(
            "connections of nodes",
            nodes.connections() / (double) machine.memory().connectionsMax()));
    if (crowd().handshakes() > 0) {
      int cores = (nodes.perRegion() - spare()) * targets.coresPerNode();
      resources.add(
          resource(
              "handshakes at once",
              (nodes.coresBusy() + crowdWork() / crowd().withinSeconds()) / cores));
    }
    resources.sort(Comparator.comparingDouble(Sized.Resource::utilisation).reversed());
    return resources;
  }

  /** Nodes are as many as are needed; only what was given can lack. */
  private List<String> lacks(Sized.Signing signing, Sized.Database database) {
    List<String> lacks = new ArrayList<>();
    if (signing.perRegion() < signing.needed()) {
      lacks.add("%d HSMs a region: %d are needed".formatted(signing.perRegion(), signing.needed()));
    }
    if (database.utilisation() > targets.processors()) {
      lacks.add(
          "%d processors of the database: %d are needed"
              .formatted(
                  targets.databaseCores(),
                  needed("processors", database.coresBusy() / targets.processors())));
    }
    return lacks;
  }

  private static Sized.Resource resource(String name, double utilisation) {
    return new Sized.Resource(
        name, utilisation, utilisation == 0 ? Double.POSITIVE_INFINITY : 1 / utilisation);
  }

  private double peak() {
    return demand.perSecond() * demand.peakFactor();
  }

  private int regions() {
    return demand.redundancy().regions();
  }

  private int spare() {
    return demand.redundancy().spare();
  }

  /** The signatures of a region's peak, by the key. */
  private Map<KeyKind, Double> signaturesOfARegion() {
    Map<KeyKind, Double> signatures = new EnumMap<>(KeyKind.class);
    demand.peakByIssuerKey().forEach((kind, rate) -> signatures.put(kind, rate / regions()));
    double answers = demand.ocspSignedAtPeak() / regions();
    if (answers > 0) {
      signatures.merge(responderKey(), answers, Double::sum);
    }
    return signatures;
  }

  /** A responder's key is the deployment's choice: EC P-256 where the HSM has it. */
  private KeyKind responderKey() {
    return hsm.perSecond().containsKey(KeyKind.EC_P256)
        ? KeyKind.EC_P256
        : demand.kinds().getFirst().issuerKey();
  }

  private Sized.Signing signing() {
    Map<KeyKind, Double> signatures = signaturesOfARegion();
    double rate = 0;
    double work = 0;
    for (Map.Entry<KeyKind, Double> of : signatures.entrySet()) {
      rate += of.getValue();
      work += of.getValue() * hsm.secondsOf(of.getKey());
    }
    int needed = needed("HSMs", work / targets.hsm());
    int usable = targets.hsmsGiven() == 0 ? needed : targets.hsmsGiven() - spare();
    if (usable < 1) {
      throw new SizingException(
          "of %d HSMs a region none is left when %d are lost"
              .formatted(targets.hsmsGiven(), spare()));
    }
    int perRegion = usable + spare();
    double utilisation = work / usable;
    return new Sized.Signing(
        hsm.name(),
        perRegion,
        perRegion * regions(),
        needed + spare(),
        work,
        utilisation,
        queue(rate, work, usable),
        work == 0 ? Double.POSITIVE_INFINITY : peak() * targets.hsm() / utilisation);
  }

  private Sized.Queue queue(double rate, double work, int usable) {
    double service = rate == 0 ? 0 : work / rate * hsm.engines();
    double wait = Waiting.seconds(usable * hsm.engines(), work / usable, service);
    return new Sized.Queue(wait, service, rate == 0 ? 0 : rate * (wait + service));
  }

  private Sized.Nodes nodes() {
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
    double coresBusy = micros / MICROS / regions();
    double connections = demand.tls().openConnections() / (double) regions();
    int nodes = nodesNeeded(coresBusy, connections);
    long each = (long) Math.ceil(connections / nodes);
    double memoryMb =
        machine.memory().baseMb() + each * machine.memory().connectionKb() / KB_PER_MB;
    int perRegion = nodes + spare();
    int all = perRegion * regions();
    double idle = (double) nodes * targets.coresPerNode() - coresBusy;
    return new Sized.Nodes(
        perRegion,
        new Sized.Whole(all, all * targets.coresPerNode(), all * memoryMb),
        coresBusy,
        coresBusy / (nodes * targets.coresPerNode()),
        demand.ocspAtPeak(),
        memoryMb,
        each,
        new Sized.Handshakes(
            handshakes, handshakeMicros(), fullHandshakeMicros(), crowdWork() / idle));
  }

  /** Of a region, without spare ones: the most of what its work, connections and crowd need. */
  private int nodesNeeded(double coresBusy, double connections) {
    int byCores = needed("nodes", coresBusy / (targets.coresPerNode() * targets.processors()));
    int byConnections = needed("nodes", connections / machine.memory().connectionsMax());
    // A crowd comes in the busiest hour and may have all that its work leaves.
    int byCrowd =
        needed(
            "nodes", (coresBusy + crowdWork() / crowd().withinSeconds()) / targets.coresPerNode());
    return Math.max(byCores, Math.max(byConnections, byCrowd));
  }

  private Demand.Crowd crowd() {
    return demand.tls().crowd();
  }

  /** Seconds of a core that a region's part of the crowd takes. */
  private double crowdWork() {
    return crowd().handshakes() * fullHandshakeMicros() / MICROS / regions();
  }

  private double handshakeMicros() {
    double resumed = demand.tls().resumed();
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
    return machine.node().handshake() + demand.tls().clientCertificates() * client;
  }

  private Sized.Database database() {
    double coresBusy = peak() * machine.database() / MICROS;
    double perDay = demand.perSecond() * 86_400;
    Machine.Disk disk = machine.disk();
    return new Sized.Database(
        spare(),
        coresBusy,
        coresBusy / targets.databaseCores(),
        perDay * (disk.ledger() + disk.index()),
        perDay * DAYS_PER_YEAR * disk.ledger()
            + Math.max(demand.living(), perDay * DAYS_PER_YEAR) * disk.index(),
        peak() * disk.log());
  }

  private List<Sized.Alternative> alternatives() {
    List<Sized.Alternative> all = new ArrayList<>();
    double answers = demand.ocspSignedAtPeak() / regions();
    for (KeyKind kind : KeyKind.values()) {
      double rate = hsm.perSecond().getOrDefault(kind, 0.0);
      double ec = hsm.perSecond().getOrDefault(KeyKind.EC_P256, 0.0);
      double work =
          rate == 0 ? 0 : peak() / regions() / rate + answers * hsm.secondsOf(responderKey());
      all.add(
          new Sized.Alternative(
              kind,
              rate,
              MICROS / machine.certificateMicros(kind, kind),
              rate == 0 ? 0 : needed("HSMs", work / targets.hsm()),
              rate == 0 ? 0 : ec / rate));
    }
    return all;
  }

  /** At least one. */
  private static int needed(String what, double exact) {
    if (!(exact <= 100_000)) {
      throw new SizingException("more than 100,000 " + what + " a region: is the demand right?");
    }
    // Sums of fractions must not ask for one more.
    return Math.max(1, (int) Math.ceil(exact - 1e-9));
  }
}
