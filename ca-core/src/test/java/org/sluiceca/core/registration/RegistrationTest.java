package org.sluiceca.core.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.core.registration.Registration.Finalization;
import org.sluiceca.core.registration.RegistrationWorld.Fault;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.OctetString;

class RegistrationTest {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");

  private final RegistrationWorld world = new RegistrationWorld(1, Fault.NONE);
  private final Registration registration = world.node();

  RegistrationTest() {
    world.death = 0;
    world.refusing = 0;
    world.shedding = 0;
    world.unavailable = 0;
  }

  @ParameterizedTest
  @CsvSource({
    "a.example.com, a.example.com, a.example.com",
    "a.example.com b.example.com, b.example.com, a.example.com b.example.com",
    "A.Example.COM, '', a.example.COM",
    "a.example.com, a.example.com, ''",
    "*.example.com, *.example.com, *.example.com",
  })
  void finalizeBy_namesOfTheOrder_isTaken(String order, String commonName, String names) {
    assertThat(finalizeBy(order, csr(commonName, names))).isInstanceOf(Finalization.Taken.class);
  }

  @ParameterizedTest
  @CsvSource({
    "a.example.com, a.example.com, a.example.com b.example.com, b.example.com",
    "a.example.com b.example.com, a.example.com, a.example.com, b.example.com",
    "a.example.com, b.example.com, a.example.com, common name",
    "a.example.com, A web server, a.example.com, common name",
    "*.example.com, '', a.example.com, *.example.com",
    "a.example.com, '', '', a.example.com",
  })
  void finalizeBy_otherNames_isRefusedAndTheOrderStaysReady(
      String order, String commonName, String names, String said) {
    CertificateRequest request = request(order);

    Finalization refused = registration.finalizeBy(request, csr(commonName, names), Duration.ZERO);

    assertThat(refused).isInstanceOf(Finalization.Refused.class);
    Refusal refusal = ((Finalization.Refused) refused).refusal();
    assertThat(refusal.kind()).isEqualTo(Refusal.Kind.BAD_CSR);
    assertThat(refusal.detail()).contains(said);
    assertThat(world.rows.get(request.id())).isEqualTo(request);
    assertThat(world.ledger).isEmpty();
  }

  @Test
  void finalizeBy_nameOfAnotherForm_isRefused() {
    CsrDer csr =
        CsrFixture.empty()
            .names(
                List.of(
                    new GeneralName.Dns("a.example.com"), new GeneralName.Email("a@example.com")))
            .signedBy(KEY);

    assertThat(finalizeBy("a.example.com", csr)).isInstanceOf(Finalization.Refused.class);
  }

  @Test
  void finalizeBy_afterItsTime_expired() {
    CertificateRequest request = request("a.example.com");
    world.now = world.now.plus(RegistrationWorld.LIFE);

    Finalization late = registration.finalizeBy(request, csr("", "a.example.com"), Duration.ZERO);

    assertThat(late).isEqualTo(new Finalization.NotReady(new Progress.Expired()));
    assertThat(world.ledger).isEmpty();
  }

  @Test
  void finalizeBy_twiceWithTheSame_sameIntentAndNoOtherCsr() {
    CertificateRequest request = request("a.example.com");
    CsrDer csr = csr("", "a.example.com");

    Finalization first = registration.finalizeBy(request, csr, Duration.ZERO);
    Finalization again = registration.finalizeBy(request, csr, Duration.ZERO);

    assertThat(first).isInstanceOf(Finalization.Taken.class);
    assertThat(again).isInstanceOf(Finalization.Taken.class);
    assertThat(
            registration.finalizeBy(
                world.row(request.id()), csr("a.example.com", "a.example.com"), Duration.ZERO))
        .isInstanceOf(Finalization.NotReady.class);
    assertThat(world.ledger).hasSize(1);
  }

  @Test
  void finalizeBy_nameNotProven_nothingIsAskedFor() {
    CertificateRequest request =
        request("a.example.com b.example.com")
            .in(new RequestState.Awaiting(List.of(Authorization.pending(1, "token"))));
    world.rows.put(request.id(), request);

    Finalization early =
        registration.finalizeBy(request, csr("", "a.example.com b.example.com"), Duration.ZERO);

    assertThat(early).isEqualTo(new Finalization.NotReady(new Progress.Awaiting()));
    assertThat(world.ledger).isEmpty();
    assertThat(world.rows.get(request.id())).isEqualTo(request);
  }

  @Test
  void progress_proofFailed_refusedWithItsNameAndReason() {
    Authorization failed =
        new Authorization(
            1,
            "token",
            Authorization.Status.INVALID,
            Optional.of("http-01"),
            Optional.of(new Authorization.Fault("connection", "no answer")),
            Optional.empty());
    CertificateRequest request =
        request("a.example.com b.example.com").in(new RequestState.Awaiting(List.of(failed)));

    assertThat(registration.progress(request))
        .isEqualTo(
            new Progress.Refused(
                new Refusal(Refusal.Kind.NOT_PROVEN, "b.example.com was not proven: no answer")));
  }

  @Test
  void finalizeBy_lineFull_finishedByTheLoop() {
    world.shedding = 1;
    CertificateRequest request = request("a.example.com");
    Finalization shed = registration.finalizeBy(request, csr("", "a.example.com"), Duration.ZERO);
    assertThat(shed)
        .isInstanceOfSatisfying(
            Finalization.Taken.class,
            taken -> assertThat(taken.progress()).isInstanceOf(Progress.Processing.class));

    world.shedding = 0;
    assertThat(registration.finish(world.now.plusSeconds(1), 10)).isEqualTo(1);

    world.sign(1);
    assertThat(world.ledger).hasSize(1);
    assertThat(registration.finish(world.now.plusSeconds(1), 10)).isZero();
  }

  @Test
  void finish_oneThatCannotBeIssuedNow_othersAre() {
    CsrDer csr = csr("", "a.example.com");
    for (int i = 0; i < 3; i++) {
      CertificateRequest request = request("a.example.com");
      world.rows.put(request.id(), request.in(new RequestState.Finalized(csr)));
      world.triedAt.put(request.id(), world.now.plusSeconds(i));
    }
    RegistrationId stuck = world.rows.keySet().iterator().next();
    world.outOfService = stuck;

    assertThat(registration.finish(world.now.plusSeconds(10), 10)).isEqualTo(2);

    assertThat(world.ledger).hasSize(2);
    assertThat(world.row(stuck).state()).isInstanceOf(RequestState.Finalized.class);
  }

  /** The ledger forgets keys after a week: asked again then, it would issue again. */
  @Test
  void progress_daysAfterTheCsr_looksButAsksForNothing() {
    CertificateRequest lost =
        request("a.example.com").in(new RequestState.Finalized(csr("", "a.example.com")));
    world.rows.put(lost.id(), lost);
    world.now = lost.expiresAt().plus(Registration.ASKED_MAX).plusSeconds(1);

    Progress progress = registration.progress(lost);

    assertThat(progress)
        .isInstanceOfSatisfying(
            Progress.Refused.class,
            refused -> assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.GIVEN_UP));
    assertThat(world.ledger).isEmpty();
  }

  private Finalization finalizeBy(String order, CsrDer csr) {
    return registration.finalizeBy(request(order), csr, Duration.ZERO);
  }

  private static CsrDer csr(String commonName, String names) {
    CsrFixture fixture = commonName.isEmpty() ? CsrFixture.empty() : CsrFixture.host(commonName);
    List<GeneralName> all =
        List.of(names.split(" ")).stream()
            .filter(name -> !name.isEmpty())
            .<GeneralName>map(GeneralName.Dns::new)
            .toList();
    return (all.isEmpty() ? fixture : fixture.names(all)).signedBy(KEY);
  }

  private CertificateRequest request(String names) {
    byte[] octets = new byte[RegistrationId.OCTETS];
    world.random.nextBytes(octets);
    CertificateRequest request =
        new CertificateRequest(
            new RegistrationId(OctetString.copyOf(octets)),
            new EndpointName("trial"),
            new RequesterId("web"),
            new RegistrationId(OctetString.copyOf(new byte[RegistrationId.OCTETS])),
            new ProfileName("tls-server"),
            List.of(names.split(" ")).stream()
                .map(name -> Identifier.parse("dns", name).orElseThrow())
                .toList(),
            world.now,
            world.now.plus(RegistrationWorld.LIFE),
            Optional.empty(),
            new RequestState.Ready());
    world.rows.put(request.id(), request);
    return request;
  }
}
