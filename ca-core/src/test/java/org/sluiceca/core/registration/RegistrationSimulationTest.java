package org.sluiceca.core.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.registration.RegistrationWorld.Died;
import org.sluiceca.core.registration.RegistrationWorld.Fault;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;

/**
 * Clients that repeat, two nodes that die at any call, a line that refuses and sheds: whatever
 * happens, a request has one intent at most, its client learns of its certificate, and none stays
 * without an end.
 */
class RegistrationSimulationTest {

  private static final int SEEDS = Integer.getInteger("registration.seeds", 200);
  private static final int REQUESTS = 20;
  private static final int STEPS = 300;

  private static final List<CsrDer> CSRS =
      List.of(
          CsrFixture.host("a.example.com", "a.example.com").signedBy(SoftwareKey.named("ec-p256")),
          CsrFixture.host("a.example.com", "a.example.com").signedBy(SoftwareKey.named("ed25519")));

  @Test
  void everyRequest_whateverDies_endsOnce() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertThat(run(seed, Fault.NONE)).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void plantedFault_isFound(Fault fault) {
    List<String> found = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS && found.isEmpty(); seed++) {
      found.addAll(run(seed, fault));
    }
    assertThat(found).isNotEmpty();
  }

  private static List<String> run(long seed, Fault fault) {
    RegistrationWorld world = new RegistrationWorld(seed, fault);
    List<RegistrationId> ids = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      CertificateRequest request = request(world, i);
      world.rows.put(request.id(), request);
      ids.add(request.id());
    }
    for (int step = 0; step < STEPS; step++) {
      world.now = world.now.plus(Duration.ofSeconds(1 + world.random.nextInt(20)));
      world.sign(0.1);
      RegistrationId id = ids.get(world.random.nextInt(REQUESTS));
      world.other = () -> step(world, id);
      step(world, id);
    }
    finish(world);
    return world.faults();
  }

  /** A client, or the loop of a node. */
  private static void step(RegistrationWorld world, RegistrationId id) {
    try {
      Registration node = world.node();
      CertificateRequest row = world.row(id);
      switch (world.random.nextInt(4)) {
        case 0, 1 -> {
          var _ = node.finalizeBy(row, CSRS.get(world.random.nextInt(CSRS.size())), Duration.ZERO);
        }
        case 2 -> {
          var _ = node.progress(row);
        }
        default -> {
          int _ = node.finish(world.now.minusSeconds(30), 5);
        }
      }
    } catch (Died e) {
      // Its row says what was durable.
    }
  }

  private static void finish(RegistrationWorld world) {
    world.death = 0;
    world.shedding = 0;
    world.unavailable = 0;
    world.interleaved = 0;
    world.now = world.now.plus(RegistrationWorld.LIFE);
    for (int i = 0; i < 20; i++) {
      int _ = world.node().finish(world.now, 100);
      world.sign(0.9);
    }
    world.sign(1);
  }

  private static CertificateRequest request(RegistrationWorld world, int number) {
    byte[] octets = new byte[RegistrationId.OCTETS];
    world.random.nextBytes(octets);
    octets[0] = (byte) number;
    return new CertificateRequest(
        new RegistrationId(OctetString.copyOf(octets)),
        new EndpointName("trial"),
        new RequesterId("web"),
        new RegistrationId(OctetString.copyOf(new byte[RegistrationId.OCTETS])),
        new ProfileName("tls-server"),
        List.of(new Identifier.Dns("a.example.com")),
        world.now,
        world.now.plus(RegistrationWorld.LIFE),
        Optional.empty(),
        new RequestState.Ready());
  }
}
