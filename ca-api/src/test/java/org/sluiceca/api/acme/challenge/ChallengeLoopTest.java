package org.sluiceca.api.acme.challenge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.registration.store.AuthorizationStore;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.ProofQueue;
import org.sluiceca.api.registration.store.RequestCounts;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.Authorization.Fault;
import org.sluiceca.core.registration.Authorization.Status;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/** The loop over proofs on a real PostgreSQL, with validators of the test. */
@Execution(ExecutionMode.CONCURRENT)
class ChallengeLoopTest {

  private static final EndpointName WEB = new EndpointName("web");
  private static final String NAME = "www.corp.example";
  private static final AcmeEndpoint WITH_CHALLENGES =
      EndpointFiles.parse(
          """
          name: web
          protocol: acme
          version: 1
          profiles: [tls-server]
          external-account-binding: none
          requester: acme-web
          challenges:
            methods: [http-01]
            names: ["*.corp.example"]
          """
              .getBytes(StandardCharsets.UTF_8));

  private final SplittableRandom random = new SplittableRandom(1);
  private final LedgerDatabase.Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final PostgresRequestStore requests =
      new PostgresRequestStore(database, new RequestCounts(registry));
  private final AuthorizationStore store = new AuthorizationStore(database);
  private final AcmeEndpoints endpoints = new AcmeEndpoints(List.of());
  private final AuditTrail trail = new AuditTrail("test.1", batch -> {}, InstantSource.system());

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
    trail.start();
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  private ChallengeLoop loop(BiFunction<Challenge, ValidationTerms, Verdict> validator) {
    return new ChallengeLoop(
        new ProofQueue(database),
        endpoints,
        new AcmeUrls("https://ca.example"),
        trail,
        registry,
        InstantSource.system(),
        faults -> validator);
  }

  private RegistrationId id() {
    byte[] octets = new byte[RegistrationId.OCTETS];
    random.nextBytes(octets);
    return new RegistrationId(OctetString.copyOf(octets));
  }

  /** An order of one name whose client has said that its proof is there. */
  private CertificateRequest announced() {
    return announced(WEB);
  }

  private CertificateRequest announced(EndpointName endpoint) {
    Instant now = Instant.now();
    CertificateRequest request =
        new CertificateRequest(
            id(),
            endpoint,
            new RequesterId("acme-web"),
            id(),
            new ProfileName("tls-server"),
            List.of(new Identifier.Dns(NAME)),
            now,
            now.plus(Duration.ofHours(1)),
            Optional.empty(),
            new RequestState.Awaiting(List.of(Authorization.pending(0, id().text()))));
    assertThat(requests.add(request)).isTrue();
    assertThat(store.begin(request, 0, "http-01", "thumbprint", now)).isTrue();
    return request;
  }

  private Authorization proof(CertificateRequest request) {
    return store.of(request.id()).getFirst();
  }

  @Test
  void step_noProofIsDue_restsUntilOneIs() {
    try (ChallengeLoop loop =
        loop((challenge, terms) -> new Verdict.Valid("seen", Optional.empty()))) {
      RestingLoop.check(
          Set.of(Topic.PROOFS),
          loop::restUntilChanged,
          () -> loop.step(() -> false),
          Duration.ofSeconds(2));
    }
  }

  @Test
  void start_endpointActivatedLater_itsProofsAreJudged() {
    AtomicReference<Challenge> asked = new AtomicReference<>();
    try (ChallengeLoop loop =
        loop(
            (challenge, terms) -> {
              asked.set(challenge);
              return new Verdict.Valid("seen", Optional.empty());
            })) {
      loop.start();
      endpoints.replace(List.of(WITH_CHALLENGES), Map.of());
      CertificateRequest request = announced();
      loop.wake();

      Await.until("it is judged", () -> proof(request).status() == Status.VALID);
      assertThat(asked.get().account())
          .isEqualTo(
              new Challenge.Account(
                  "https://ca.example/acme/web/account/" + request.actor().text(),
                  "https://ca.example/acme/web/account-hash/",
                  List.of("thumbprint")));
    }
  }

  /** Of a file on another node, or of a version that this one has not read yet. */
  @Test
  void endpointThatIsNotServedHere_staysDueWithNoAttemptUsed() {
    CertificateRequest unknown = announced(new EndpointName("elsewhere"));
    endpoints.replace(List.of(WITH_CHALLENGES), Map.of());
    CertificateRequest known = announced();
    try (ChallengeLoop loop =
        loop((challenge, terms) -> new Verdict.Valid("seen", Optional.empty()))) {
      loop.start();
      loop.wake();
      // Both were due when this node claimed for the first time.
      Await.until("the other is judged", () -> proof(known).status() == Status.VALID);
    }

    assertThat(proof(unknown).status()).isEqualTo(Status.PROCESSING);
    assertThat(proof(unknown).fault()).isEmpty();
    assertThat(
            PostgresForTests.get()
                .number(
                    address,
                    "SELECT attempts FROM request_authorization WHERE endpoint = 'elsewhere'"))
        .isZero();
  }

  /** A fault of the CA: clear to the client, counted, and the slots are free for others. */
  @Test
  void validatorThrows_attemptEndsInAClearErrorAndOthersAreJudged() {
    endpoints.replace(List.of(WITH_CHALLENGES), Map.of());
    CertificateRequest bad = announced();
    String token = proof(bad).token();
    try (ChallengeLoop loop =
        loop(
            (challenge, terms) -> {
              if (challenge.token().equals(token)) {
                throw new StackOverflowError("secret");
              }
              return new Verdict.Valid("seen", Optional.empty());
            })) {
      loop.start();
      loop.wake();

      Await.until("it has failed", () -> proof(bad).fault().isPresent());
      CertificateRequest good = announced();
      loop.wake();
      Await.until("another is judged", () -> proof(good).status() == Status.VALID);
      // The registry counts for as long as the loop is in use.
      assertThat(registry.get("ca.acme.validation.faults").functionCounter().count()).isPositive();
    }
    assertThat(proof(bad).status()).isEqualTo(Status.PROCESSING);
    Fault fault = proof(bad).fault().orElseThrow();
    assertThat(fault.kind()).isEqualTo("serverInternal");
    assertThat(fault.detail()).contains("this CA failed").doesNotContain("secret");
    assertThat(registry.get("ca.acme.validations").tag("outcome", "serverInternal").timer().count())
        .isPositive();
  }
}
