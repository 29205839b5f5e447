package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.load.CsrCorpus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Nodes are killed (SIGKILL) while orders of ACME are under way: each order still ends, once. */
class AcmeKillsIT {

  private static final int NODES = 2;
  private static final int CLIENTS = 16;

  /** Of the kills, which a failure prints. */
  private static final long SEED = Long.getLong("acme.kills.seed", 8555);

  private static final Duration DONE_WITHIN = Duration.ofMinutes(5);

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(NODES));

  private final List<CrashNode> nodes = new ArrayList<>();

  @Test
  void killedNodes_96Orders_eachEndsWithOneCertificate() throws Exception {
    judge("few", 2, 48);
  }

  @Test
  @Tag("nightly")
  void killedNodes_1000Orders_eachEndsWithOneCertificate() throws Exception {
    judge("many", 20, 50);
  }

  private static Api api(int request) {
    return TRIAL.trial().api(request % NODES, "enroll").anonymous();
  }

  private static AcmeClient registered() {
    JsonNode eab = JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
    AcmeClient client = new AcmeClient(api(0), eab.path("directory").asString());
    client.register(eab.path("kid").asString(), eab.path("hmacKey").asString()).is(201);
    return client;
  }

  private void judge(String name, int rounds, int ordersEach) throws Exception {
    IntStream.range(0, NODES).forEach(node -> nodes.add(CrashNode.of(TRIAL.trial(), node)));
    StubbornOrders orders = new StubbornOrders(AcmeKillsIT::api, registered());
    Random random = new Random(SEED);
    List<StubbornOrders.Ended> ended = new ArrayList<>();
    int kills = 0;
    for (int round = 0; round < rounds; round++) {
      List<CrashNode> victims = new ArrayList<>(nodes);
      // Every second time all of them.
      if (round % 2 == 0) {
        victims.remove(random.nextInt(NODES));
      }
      kills += victims.size();
      String domain = name + "-" + round + ".kills.example.com";
      ended.addAll(round(orders, domain, ordersEach, random.nextInt(ordersEach / 2), victims));
    }
    Poll.until(
        "every request has its certificate",
        DONE_WITHIN,
        () -> AcmeOracle.openRequests(TRIAL.trial()) == 0);
    Evidence.note(
        "ACME, %d orders, %d nodes killed: %d requests without answer, %d refused nonces, seed %d"
            .formatted(ended.size(), kills, orders.unanswered(), orders.refusedNonces(), SEED));
    AcmeOracle.Seen seen = AcmeOracle.look(TRIAL.trial(), rounds * ordersEach, ended);
    assertThat(AcmeOracle.faults(seen)).as("seed %d", SEED).isEmpty();
    assertThat(ended).allMatch(order -> order.status().equals("valid"));
    assertThat(orders.unanswered()).as("no request met a dead node").isPositive();
    for (StubbornOrders.Ended order : ended) {
      TRIAL.trial().api(1, "enroll").get(Api.CERTIFICATES + "/" + order.serial()).is(200);
    }
    assertFaultIsFound(seen);
  }

  /** Runs orders, kills the victims when {@code before} have ended, and starts them again. */
  private static List<StubbornOrders.Ended> round(
      StubbornOrders orders, String domain, int count, int before, List<CrashNode> victims)
      throws Exception {
    Semaphore clients = new Semaphore(CLIENTS);
    AtomicInteger done = new AtomicInteger();
    List<Future<StubbornOrders.Ended>> sent = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        String host = "n" + i + "." + domain;
        KeyPair key = AcmeClient.newKey();
        byte[] csr = CsrCorpus.request(key, host);
        sent.add(
            threads.submit(
                () -> {
                  clients.acquireUninterruptibly();
                  try {
                    return orders.order(host, key, csr);
                  } finally {
                    done.incrementAndGet();
                    clients.release();
                  }
                }));
      }
      Poll.until("orders have ended", DONE_WITHIN, () -> done.get() >= before);
      victims.forEach(CrashNode::kill);
      victims.forEach(CrashNode::awaitEnd);
      victims.forEach(CrashNode::start);
      victims.forEach(CrashNode::awaitReady);
      return results(sent);
    }
  }

  private static List<StubbornOrders.Ended> results(List<Future<StubbornOrders.Ended>> sent)
      throws InterruptedException, ExecutionException {
    List<StubbornOrders.Ended> ended = new ArrayList<>();
    for (Future<StubbornOrders.Ended> one : sent) {
      ended.add(one.get());
    }
    return ended;
  }

  /** A second certificate for one of the keys must not pass. */
  private static void assertFaultIsFound(AcmeOracle.Seen seen) {
    Map<String, List<String>> doubled = new HashMap<>(seen.serials());
    StubbornOrders.Ended order = seen.ended().getFirst();
    doubled.put(order.key(), List.of(order.serial(), "00"));
    assertThat(
            AcmeOracle.faults(
                new AcmeOracle.Seen(seen.orders(), seen.ended(), doubled, seen.open())))
        .singleElement()
        .asString()
        .startsWith(AcmeOracle.DOUBLED);
  }
}
