package org.sluiceca.load.sizing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
   */
  public record Targets(double hsm, double processors, int coresPerNode, int databaseCores) {

    /**
     * At 80 % jobs of one engine wait for two others; at 60 % a node that starts or collects
     * garbage still keeps up.
     */
    public static final Targets DEFAULT = new Targets(0.8, 0.6, 2, 8);

    public Targets {
      if (!(hsm > 0 && hsm < 1) || !(processors > 0 && processors < 1)) {
        throw new SizingException("a target is to be above 0 and below 1");
      }
      if (coresPerNode < 1 || coresPerNode > 256 || databaseCores < 1 || databaseCores > 256) {
        throw new SizingException("cores are to be 1 to 256");
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
    double perConnection = nodes.connections() / (double) machine.memory().connectionsMax();
    List<Sized.Resource> resources = new ArrayList<>();
    resources.add(resource("HSM", signing.utilisation()));
    resources.add(resource("processors of nodes", nodes.utilisation()));
    resources.add(resource("processors of the database", database.utilisation()));
    resources.add(resource("connections of nodes", perConnection));
    resources.sort(Comparator.comparingDouble(Sized.Resource::utilisation).reversed());
    return new Sized(
        demand.perSecond(), peak(), signing, nodes, database, resources, alternatives());
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
    double utilisation = work / needed;
    double service = rate == 0 ? 0 : work / rate * hsm.engines();
    double wait = Waiting.seconds(needed * hsm.engines(), utilisation, service);
    int perRegion = needed + demand.redundancy().spare();
    return new Sized.Signing(
        hsm.name(),
        perRegion,
        perRegion * regions(),
        work,
        utilisation,
        wait,
        service,
        rate * (wait + service));
  }

  private Sized.Nodes nodes() {
    double handshakes = peak() * demand.handshakesPerRequest();
    double micros =
        demand.kinds().stream()
            .mapToDouble(
                kind ->
                    kind.perSecond()
                        * demand.peakFactor()
                        * machine.certificateMicros(kind.issuerKey(), kind.subjectKey()))
            .sum();
    micros += handshakes * machine.node().handshake();
    micros += demand.ocspAtPeak() * machine.node().ocsp();
    double coresBusy = micros / MICROS / regions();
    double connections = demand.openConnections() / (double) regions();
    int byCores = needed("nodes", coresBusy / (targets.coresPerNode() * targets.processors()));
    int byConnections = needed("nodes", connections / machine.memory().connectionsMax());
    int nodes = Math.max(byCores, byConnections);
    long each = (long) Math.ceil(connections / nodes);
    int perRegion = nodes + demand.redundancy().spare();
    return new Sized.Nodes(
        perRegion,
        perRegion * regions(),
        coresBusy,
        coresBusy / (nodes * targets.coresPerNode()),
        handshakes,
        demand.ocspAtPeak(),
        machine.memory().baseMb() + each * machine.memory().connectionKb() / KB_PER_MB,
        each);
  }

  private Sized.Database database() {
    double coresBusy = peak() * machine.database() / MICROS;
    double perDay = demand.perSecond() * 86_400;
    Machine.Disk disk = machine.disk();
    return new Sized.Database(
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
