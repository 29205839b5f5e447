package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.sluiceca.blackbox.FaultyFront.Fault;
import org.sluiceca.load.CsrCorpus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** ACME through a proxy that refuses nonces, delays requests and cuts connections. */
@ResourceLock(TrialExtension.TWO_NODES)
class AcmeFaultsIT {

  private static final int ORDERS = 60;
  private static final int CLIENTS = 8;
  private static final int PROGRAMS = 6;

  /** Of the faults, which a failure prints. */
  private static final long SEED = Long.getLong("acme.faults.seed", 9773);

  private static final Duration DECIDED_WITHIN = Duration.ofMinutes(2);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  private static Api node(int request) {
    return TRIAL.trial().api(request % 2, "enroll").anonymous();
  }

  private static FaultyFront front(Map<Fault, Integer> percent) {
    return FaultyFront.start(TrialExtension.FRONT_PORT, AcmeFaultsIT::node, percent, SEED);
  }

  @Test
  void ownClient_allFaults_eachOrderHasOneCertificate() throws Exception {
    AcmeClient account = new AcmeClient(node(0), eab().path("directory").asString());
    account.register(eab().path("kid").asString(), eab().path("hmacKey").asString()).is(201);
    List<StubbornOrders.Ended> ended = new ArrayList<>();
    try (FaultyFront front =
            front(
                Map.of(
                    Fault.BAD_NONCE, 5, Fault.DELAY, 5, Fault.CUT_BEFORE, 5, Fault.CUT_AFTER, 5));
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      StubbornOrders orders = new StubbornOrders(request -> front.api(), account);
      List<Future<StubbornOrders.Ended>> sent = new ArrayList<>();
      for (int i = 0; i < ORDERS; i++) {
        String name = "n" + i + ".faults.example.com";
        KeyPair key = AcmeClient.newKey();
        byte[] csr = CsrCorpus.request(key, name);
        sent.add(threads.submit(() -> orders.order(name, key, csr)));
      }
      for (Future<StubbornOrders.Ended> one : sent) {
        ended.add(one.get());
      }
      for (Fault fault : Fault.values()) {
        assertThat(front.count(fault)).as("%s, seed %d", fault, SEED).isPositive();
      }
      assertThat(orders.refusedNonces()).isGreaterThanOrEqualTo(front.count(Fault.BAD_NONCE));
      assertEachCutWasMet(front, orders);
    }
    Poll.until(
        "every request is decided",
        DECIDED_WITHIN,
        () -> AcmeOracle.openRequests(TRIAL.trial()) == 0);
    assertThat(ended).allMatch(order -> order.status().equals("valid"));
    assertThat(AcmeOracle.faults(AcmeOracle.look(TRIAL.trial(), ORDERS, ended)))
        .as("seed %d", SEED)
        .isEmpty();
  }

  /**
   * Every connection that was cut left its client without an answer, and no other request that
   * arrived did. On a slow machine a request may end by its time limit, or be lost with a
   * connection that was idle for too long, before it arrives: neither is a cut.
   */
  private static void assertEachCutWasMet(FaultyFront front, StubbornOrders orders) {
    Set<String> notAnswered = new HashSet<>(orders.cut());
    notAnswered.addAll(orders.late());
    assertThat(notAnswered).containsAll(front.cut());
    Set<String> arrived = new HashSet<>(orders.cut());
    arrived.retainAll(front.received());
    assertThat(front.cut()).containsAll(arrived);
  }

  /** lego sends a request again whose nonce was refused; a cut connection ends it. */
  @Test
  void lego_refusedNoncesAndDelays_oneCertificateEach() throws Exception {
    Optional<Path> lego = Checkout.tool("lego");
    assumeTrue(lego.isPresent(), "lego is not installed");
    List<StubbornOrders.Ended> ended = new ArrayList<>();
    Path folder = TrialExtension.newFolder();
    try (FaultyFront front = front(Map.of(Fault.BAD_NONCE, 20, Fault.DELAY, 20))) {
      AcmePrograms programs = AcmePrograms.of(eab(), front.certificate(), folder);
      for (int i = 0; i < PROGRAMS; i++) {
        Path pem = programs.legoRun(lego.orElseThrow(), "lego" + i + ".faults.example.com");
        var certificate = Answer.certificate(Csr.read(pem));
        byte[] key = AcmeClient.sha256(certificate.getPublicKey().getEncoded());
        ended.add(
            new StubbornOrders.Ended(
                HexFormat.of().formatHex(key),
                "valid",
                "",
                "%038x".formatted(certificate.getSerialNumber())));
      }
      assertThat(front.count(Fault.BAD_NONCE)).as("seed %d", SEED).isPositive();
    } finally {
      Trial.delete(folder);
    }
    assertThat(AcmeOracle.faults(AcmeOracle.look(TRIAL.trial(), PROGRAMS, ended))).isEmpty();
  }
}
