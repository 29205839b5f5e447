package org.sluiceca.load.sizing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;

/** Plans a deployment. Pure: the same input has the same answer. */
public record Sizing(Demand demand, Machine machine, Hsm hsm, Targets targets) {

  private static final double MICROS = 1e6;
  private static final double DAYS_PER_YEAR = 365;

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
        throw new InputException("a target is to be above 0 and below 1");
      }
      if (coresPerNode < 1 || coresPerNode > 256 || databaseCores < 1 || databaseCores > 256) {
        throw new InputException("cores are to be 1 to 256");
      }
      if (hsmsGiven < 0 || hsmsGiven > 100_000) {
        throw new InputException("HSMs are to be 1 to 100,000 a region");
      }
    }
  }

  /**
   * Plans it.
   *
   * @throws InputException if a rate is missing, or it would need more than 100,000 of anything
   */
  public static Sized of(Demand demand, Machine machine, Hsm hsm, Targets targets) {
    return new Sizing(demand, machine, hsm, targets).plan();
  }

  private Sized plan() {
    Sized.Signing signing = signing();
    NodeSizing nodeSizing = new NodeSizing(demand, machine, targets);
    Sized.Nodes nodes = nodeSizing.plan();
    Sized.Database database = database();
    return new Sized(
        demand.perSecond(),
        peak(),
        signing,
        nodes,
        database,
        resources(signing, nodes, nodeSizing, database),
        lacks(signing, database),
        alternatives());
  }

  private List<Sized.Resource> resources(
      Sized.Signing signing, Sized.Nodes nodes, NodeSizing nodeSizing, Sized.Database database) {
    List<Sized.Resource> resources = new ArrayList<>();
    resources.add(resource("HSM", signing.utilisation()));
    resources.add(resource("processors of nodes", nodes.utilisation()));
    resources.add(resource("processors of the database", database.utilisation()));
    resources.add(
        resource(
            "connections of nodes",
            nodes.connections() / (double) machine.memory().connectionsMax()));
    if (demand.handshakesAtOnce() > 0) {
      resources.add(resource("handshakes at once", nodeSizing.crowdUtilisation(nodes)));
    }
    resources.sort(Comparator.comparingDouble(Sized.Resource::utilisation).reversed());
    return resources;
  }

  /** Nodes are as many as are needed; only what was given can lack. */
  private List<String> lacks(Sized.Signing signing, Sized.Database database) {
    List<String> lacks = new ArrayList<>();
    if (signing.perRegion() < signing.needed()) {
      lacks.add(
          Text.format("%d HSMs a region: %d are needed", signing.perRegion(), signing.needed()));
    }
    if (database.utilisation() > targets.processors()) {
      lacks.add(
          Text.format(
              "%d processors of the database: %d are needed",
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
    return demand.regions();
  }

  private int spare() {
    return demand.spare();
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
    double work = 0;
    for (Map.Entry<KeyKind, Double> of : signatures.entrySet()) {
      work += of.getValue() * hsm.secondsOf(of.getKey());
    }
    int needed = needed("HSMs", work / targets.hsm());
    int usable = targets.hsmsGiven() == 0 ? needed : targets.hsmsGiven() - spare();
    if (usable < 1) {
      throw new InputException(
          Text.format(
              "of %d HSMs a region none is left when %d are lost", targets.hsmsGiven(), spare()));
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
        queue(signatures, work, usable),
        work == 0 ? Double.POSITIVE_INFINITY : peak() * targets.hsm() / utilisation);
  }

  /** Jobs of one kind of key take the same time, those of several kinds vary as their rates do. */
  private Sized.Queue queue(Map<KeyKind, Double> signatures, double work, int usable) {
    double rate = signatures.values().stream().mapToDouble(Double::doubleValue).sum();
    if (rate == 0) {
      return new Sized.Queue(0, 0, 0, 0);
    }
    double mean = work / rate;
    double variation = 0;
    for (Map.Entry<KeyKind, Double> of : signatures.entrySet()) {
      double apart = hsm.secondsOf(of.getKey()) / mean - 1;
      variation += of.getValue() / rate * apart * apart;
    }
    double service = mean * hsm.engines();
    double wait = Waiting.seconds(usable * hsm.engines(), work / usable, service, variation);
    return new Sized.Queue(wait, service, variation, rate * (wait + service));
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
        peak() * disk.log(),
        perDay * disk.log());
  }

  private List<Sized.Alternative> alternatives() {
    List<Sized.Alternative> all = new ArrayList<>();
    double answers = demand.ocspSignedAtPeak() / regions();
    double ocsp = answers == 0 ? 0 : answers * hsm.secondsOf(responderKey());
    OptionalDouble ec = rate(KeyKind.EC_P256);
    for (KeyKind kind : KeyKind.values()) {
      OptionalDouble rate = rate(kind);
      OptionalInt hsms = OptionalInt.empty();
      OptionalDouble times = OptionalDouble.empty();
      if (rate.isPresent()) {
        double work = peak() / regions() / rate.getAsDouble() + ocsp;
        hsms = OptionalInt.of(needed("HSMs", work / targets.hsm()));
        times = ec.isEmpty() ? ec : OptionalDouble.of(ec.getAsDouble() / rate.getAsDouble());
      }
      double perCore = MICROS / machine.certificateMicros(kind, kind);
      all.add(new Sized.Alternative(kind, rate, perCore, hsms, times));
    }
    return all;
  }

  private OptionalDouble rate(KeyKind kind) {
    Double rate = hsm.perSecond().get(kind);
    return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
  }

  /** Returns how many are needed of something of which {@code exact} would do: at least one. */
  static int needed(String what, double exact) {
    if (!(exact <= 100_000)) {
      throw new InputException("more than 100,000 " + what + " a region: is the demand right?");
    }
    // Sums of fractions must not ask for one more.
    return Math.max(1, (int) Math.ceil(exact - 1e-9));
  }
}
