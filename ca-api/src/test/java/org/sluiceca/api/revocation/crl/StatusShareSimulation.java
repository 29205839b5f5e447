package org.sluiceca.api.revocation.crl;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.CheckpointPace;
import org.sluiceca.core.audit.Checkpoints;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.RecordedCrl;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryCheckpointStore;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Nodes that share one HSM, in virtual time: each has the real loop of CRLs and takes real
 * checkpoints, on stores in memory. Counts what the HSM signs that is no certificate. The HSM has
 * one engine. What it does not sign for CRLs and checkpoints it signs for certificates, if there is
 * enough to do: a CRL then waits for up to two of them.
 */
final class StatusShareSimulation {

  /** The first CRLs and checkpoints of all nodes do not count. */
  private static final Duration WARM_UP = Duration.ofMinutes(2);

  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration LOOK_EAGER = Duration.ofMillis(100);
  private static final Duration CHECKPOINT_PERIOD = Duration.ofMinutes(1);
  private static final CrlTerms TERMS = new CrlTerms(Duration.ofHours(1), Duration.ofHours(24));
  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final SoftwareKey OTHER = SoftwareKey.named("ec-p256");
  private static final IssuerName AUDIT = new IssuerName("audit");

  /**
   * What happens.
   *
   * @param hsmPerSecond signatures a second that the HSM makes
   * @param scopes CRLs that the certificates are spread over
   * @param revocationsPerSecond one after the other, each on a node and in a scope by chance
   * @param compromised the part of them that is for the compromise of a key
   * @param isSaturated whether the HSM always has a certificate to sign
   */
  record Load(
      int nodes,
      double hsmPerSecond,
      int scopes,
      double revocationsPerSecond,
      double compromised,
      boolean isSaturated) {}

  /**
   * What came of it.
   *
   * @param crlShare the part of the HSM's time for CRLs
   * @param checkpointShare the part of it for checkpoints
   * @param ordinary from recording to being on the CRL of all nodes, the longest
   * @param compromise the same of the compromise of a key
   * @param rowUncovered how long a row of the audit trail stood without a checkpoint, the longest
   */
  record Result(
      double crlShare,
      double checkpointShare,
      Duration ordinary,
      Duration compromise,
      Duration rowUncovered) {

    double share() {
      return crlShare + checkpointShare;
    }
  }

  /** What goes wrong, to see that it is noticed. */
  enum Fault {
    NONE,
    /** CRLs of several scopes do not take turns. */
    NO_SPACING,
    /** Every node takes a checkpoint in each period. */
    CHECKPOINT_OF_EACH_NODE,
    /** One node does not look at CRLs any more. */
    NODE_DOES_NOT_LOOK,
    /** The node that takes checkpoints stops, and the others do not notice. */
    NO_CHECKPOINTS
  }

  private record Step(Instant at, long order, Runnable run) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** A revocation that is not on the CRL of every node. */
  private record Unseen(
      CrlScope scope, long revision, Instant at, boolean isCompromise, BitSet seen) {}

  private final Load load;
  private final Fault fault;
  private final Path folder;
  private final Random random;
  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryRevocations revocations = new InMemoryRevocations(time);
  private final InMemoryCheckpointStore checkpoints = new InMemoryCheckpointStore();
  private final PriorityQueue<Step> steps = new PriorityQueue<>();
  private final Issuer issuer = Fixtures.issuing(KEY);
  private final List<ChainHead> chains = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<CrlScope> scopes = new ArrayList<>();
  private final Map<CrlScope, Long> revisions = new HashMap<>();
  private final Map<CrlScope, Map<Long, Long>> knownBy = new HashMap<>();
  private final List<Unseen> unseen = new ArrayList<>();
  private long order;
  private int crls;
  private int taken;
  private Duration ordinary = Duration.ZERO;
  private Duration compromise = Duration.ZERO;
  private Duration rowUncovered = Duration.ZERO;
  private Instant coveredUpTo = Fixtures.NOW;

  /**
   * Makes the nodes.
   *
   * @param folder of the nodes' CRLs, which may hold files of another run
   */
  StatusShareSimulation(Load load, Fault fault, Path folder, long seed) {
    this.load = load;
    this.fault = fault;
    this.folder = folder;
    this.random = new Random(seed);
  }

  /** Runs for this time after the start. */
  Result run(Duration howLong) throws IOException {
    for (int shard = 0; shard < load.scopes(); shard++) {
      CrlScope scope = new CrlScope(Fixtures.ISSUING, shard);
      revocations.open(scope);
      scopes.add(scope);
    }
    for (int i = 0; i < load.nodes(); i++) {
      chains.add(ChainHead.start("node-" + i));
      nodes.add(new Node(i));
    }
    for (Node node : nodes) {
      after(part(LOOK), node::look);
      after(part(CHECKPOINT_PERIOD), node::cover);
    }
    if (load.revocationsPerSecond() > 0) {
      after(WARM_UP.dividedBy(2), this::revoke);
    }
    after(WARM_UP, this::countFromNow);
    Instant end = time.instant().plus(WARM_UP).plus(howLong);
    while (time.instant().isBefore(end)) {
      Step step = steps.remove();
      if (step.at().isAfter(time.instant())) {
        time.pass(Duration.between(time.instant(), step.at()));
      }
      step.run().run();
    }
    unseen.forEach(late -> noteSeen(late, time.instant()));
    if (load.isSaturated()) {
      rowUncovered = longer(rowUncovered, Duration.between(coveredUpTo, time.instant()));
    }
    double of = load.hsmPerSecond() * howLong.toSeconds();
    return new Result(crls / of, taken / of, ordinary, compromise, rowUncovered);
  }

  private void countFromNow() {
    crls = 0;
    taken = 0;
    ordinary = Duration.ZERO;
    compromise = Duration.ZERO;
    rowUncovered = Duration.ZERO;
  }

  private Duration part(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos()));
  }

  private void after(Duration wait, Runnable run) {
    steps.add(new Step(time.instant().plus(wait), order++, run));
  }

  private void revoke() {
    CrlScope scope = scopes.get(random.nextInt(scopes.size()));
    boolean isCompromise = random.nextDouble() < load.compromised();
    Instant notAfter = Fixtures.NOW.plus(Duration.ofDays(90));
    SerialNumber serialNumber = new SerialNumbers(random).next(notAfter);
    RequesterId by = new RequesterId("alice");
    RevocationReason reason =
        isCompromise ? RevocationReason.KEY_COMPROMISE : RevocationReason.SUPERSEDED;
    var _ =
        revocations.append(
            new RevocationEvent(
                serialNumber,
                1,
                scope,
                by,
                notAfter,
                new RevocationEvent.Change.Revoked(reason, Optional.empty(), Optional.empty())));
    long revision = revisions.merge(scope, 1L, Long::sum);
    unseen.add(new Unseen(scope, revision, time.instant(), isCompromise, new BitSet()));
    Node node = nodes.get(random.nextInt(nodes.size()));
    node.grow();
    node.loop.accept(new CaEvent.CertificateRevoked(serialNumber, by, reason));
    node.look();
    after(Duration.ofNanos((long) (1e9 / load.revocationsPerSecond())), this::revoke);
  }

  private void noteSeen(Unseen revocation, Instant by) {
    Duration took = Duration.between(revocation.at(), by);
    if (revocation.isCompromise()) {
      compromise = longer(compromise, took);
    } else {
      ordinary = longer(ordinary, took);
    }
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** The time that a signature takes, and before it what is in the HSM already. */
  private void passSignature() {
    double signature = 1 / load.hsmPerSecond();
    double wait = load.isSaturated() ? 2 * random.nextDouble() * signature : 0;
    time.pass(Duration.ofNanos((long) ((wait + signature) * 1e9)));
  }

  private final class Node {

    private final int number;
    private final CrlFolder published;
    private final CrlLoop loop;
    private final Checkpoints taking;
    private final CheckpointPace pace = new CheckpointPace(CHECKPOINT_PERIOD, random);
    private boolean isLooking;

    Node(int number) throws IOException {
      this.number = number;
      this.published = new CrlFolder(folder.resolve("node-" + number), null);
      this.loop =
          new CrlLoop(
              new CrlLoop.Parts(
                  revocations,
                  new CrlIssuance(
                      revocations,
                      signer(Fixtures.ISSUING),
                      new PostSignCheck(name -> Optional.of(KEY.publicKey()), verifier()),
                      event -> {},
                      time),
                  new IssuerCatalog(List.of(issuer)),
                  name -> true,
                  name -> hsm(),
                  published,
                  () -> {},
                  "node-" + number),
              TERMS,
              new CrlMetrics(new SimpleMeterRegistry()),
              random,
              time);
      this.taking =
          new Checkpoints(
              new Checkpoints.Steps(
                  () -> Optional.of(chains.get(number)).filter(head -> head.sequence() > 0),
                  checkpoints,
                  signer(AUDIT),
                  new PostSignCheck(name -> Optional.of(KEY.publicKey()), verifier()),
                  time));
    }

    /** Looks at the CRLs, then again after the loop's pause. */
    void look() {
      if (isLooking || (fault == Fault.NODE_DOES_NOT_LOOK && number == 0)) {
        return;
      }
      isLooking = true;
      CrlPass pass = loop.pass();
      isLooking = false;
      Instant now = time.instant();
      unseen.removeIf(
          revocation -> {
            long newest = published.number(CrlName.complete(revocation.scope()));
            long known =
                knownBy.getOrDefault(revocation.scope(), Map.of()).getOrDefault(newest, 0L);
            if (known >= revocation.revision()) {
              revocation.seen().set(number);
            }
            if (revocation.seen().cardinality() < nodes.size()) {
              return false;
            }
            noteSeen(revocation, now);
            return true;
          });
      scheduled++;
      long mine = scheduled;
      after(
          pass.isLeft() ? Duration.ZERO : unseen.isEmpty() ? LOOK : LOOK_EAGER,
          () -> {
            // One that was woken in between has looked already.
            if (mine == scheduled) {
              look();
            }
          });
    }

    private long scheduled;

    /** Adds a row to its part of the audit trail. */
    void grow() {
      AuditRow row = chains.get(number).next(new AuditEvent(time.instant(), "test", "a", "{}"));
      checkpoints.append(row);
      chains.set(number, row.head());
    }

    /** Takes a checkpoint if one is due, as the loop of checkpoints does. */
    void cover() {
      if (load.isSaturated()) {
        nodes.forEach(Node::grow);
      }
      if (fault == Fault.NO_CHECKPOINTS) {
        return;
      }
      Instant read = time.instant();
      Deadline by = Deadline.after(Duration.ofSeconds(20), time);
      SignSchedule schedule =
          new SignSchedule(Lane.STATUS, new RequesterId("sluice.audit"), by, by);
      boolean isEachNode = fault == Fault.CHECKPOINT_OF_EACH_NODE;
      Duration spacing = isEachNode ? Duration.ZERO : pace.spacing();
      Checkpoints.Outcome outcome = taking.takeIfOlder(schedule, spacing);
      if (outcome.signed().isPresent()) {
        rowUncovered = longer(rowUncovered, Duration.between(coveredUpTo, time.instant()));
        coveredUpTo = read;
      }
      after(
          isEachNode ? CHECKPOINT_PERIOD : pace.next(outcome.look(), taking.coveredAge()),
          this::cover);
    }
  }

  private Optional<CrlSpacing.Signer> hsm() {
    Duration signature = Duration.ofNanos((long) (1e9 / load.hsmPerSecond()));
    return fault == Fault.NO_SPACING
        ? Optional.empty()
        : Optional.of(new CrlSpacing.Signer("hsm", signature));
  }

  private static BouncyCastleVerifier verifier() {
    return new BouncyCastleVerifier();
  }

  private IssuerSigner signer(IssuerName issuerName) {
    FakeSigner keys = new FakeSigner(issuerName, KEY, OTHER);
    return new IssuerSigner() {
      @Override
      public OctetString sign(Signable signable, SignSchedule schedule) {
        passSignature();
        if (signable instanceof RecordedCrl crl) {
          crls++;
          Map<Long, Long> known =
              knownBy.computeIfAbsent(crl.planned().scope(), scope -> new HashMap<>());
          known.put(crl.planned().number(), crl.planned().terms().revision());
        } else {
          taken++;
        }
        return keys.sign(signable, schedule);
      }
    };
  }
}
