package org.sluiceca.api.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.platform.wait.CoarseTimer;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.PendingSignature;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.route.GroupObserver;
import org.sluiceca.hsm.route.TokenGroup;
import org.sluiceca.hsm.route.TokenPolicy;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import org.sluiceca.hsm.testkit.SoftHsm;

/** The line on a real PostgreSQL and a real token: which threads work, and which hold what. */
@Timeout(120)
class RealLineTest {

  private static final Duration CLAIM = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The database's lock_timeout. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);

  private static final int ATTEMPTS_MAX = 20;
  private static final Wait LONG = Wait.ofClient(false, Duration.ofSeconds(30));

  private static final AtomicInteger TOKENS = new AtomicInteger();

  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final KeyPair pair = newPair();
  private final KeyRef key =
      new KeyRef(
          CkaId.parse("01"),
          org.sluiceca.hsm.SubjectPublicKeyInfo.of(pair.getPublic().getEncoded()));
  private final CoarseTimer timer = new CoarseTimer("sign-clock");
  private final Map<Step, Thread> threads = new ConcurrentHashMap<>();
  private TokenGroup tokens;
  private PostgresLedgerStore store;
  private @Nullable IssuanceExecutor executor;
  private IssuanceService service;

  @BeforeEach
  void open() throws Exception {
    SoftHsm.SoftToken token = SoftHsm.newToken("line-" + TOKENS.incrementAndGet());
    SoftHsm.importKey(token, key.id(), pair);
    tokens =
        TokenGroup.open(
            new TokenGroup.Setup(
                (settings, keys, observer) -> HsmSigner.open(settings.hsm(), keys, observer),
                Set.of(key),
                Set.of(key),
                "",
                GroupObserver.NONE),
            List.of(
                new TokenSettings(
                    "token",
                    HsmSettings.of(SoftHsm.library(), token.label(), token.pin()).withSessions(1),
                    TokenPolicy.DEFAULT)));
    PostgresForTests.awaitLogin(database);
    store =
        new PostgresLedgerStore(
            database,
            CLAIM,
            (rows, nanos) -> {
              note(Step.RECORD);
              note(Step.RECORD_OUTCOME);
            },
            System::nanoTime);
    use(token());
  }

  private HsmIssuerSigner token() {
    return new HsmIssuerSigner(
        tokens,
        Map.of(KeyName.of(Fixtures.ISSUING), key),
        () -> signing -> note(Step.SIGN),
        timer::park);
  }

  @AfterEach
  void close() {
    Objects.requireNonNull(executor).close();
    tokens.close();
    store.close();
    database.close();
    timer.close();
  }

  private void use(IssuerSigner signer) throws Exception {
    if (executor != null) {
      executor.close();
    }
    Enrollment line = line(signer);
    IssuanceExecutor used =
        new IssuanceExecutor(
            new IntentFinisher(line, event -> {}, System::nanoTime), System::nanoTime);
    executor = used;
    service = new IssuanceService(line, IssuanceParts.of(used));
  }

  /** What of one enrollment ran on which thread. */
  private enum Step {
    RECORD,
    ASK_TOKEN,
    SIGN,
    CHECK,
    RECORD_OUTCOME,
    ISSUED
  }

  /** Client to writer to session to client, which checks, to writer to client. */
  @Test
  void issue_clientWaits_fiveHandOffs() throws Exception {
    use(
        new IssuerSigner() {
          @Override
          public OctetString sign(Signable signable, SignSchedule schedule) {
            throw new AssertionError("the line prepares its signatures");
          }

          @Override
          public PendingSignature prepare() {
            return noted(token().prepare());
          }
        });

    assertThat(handOffs()).isEqualTo(5);
  }

  /** The count sees a client that is woken for the commit, only to ask for the signature. */
  @Test
  void issue_signatureNotStartedByTheCommit_sixHandOffs() throws Exception {
    use(
        (signable, schedule) -> {
          note(Step.ASK_TOKEN);
          return token().sign(signable, schedule);
        });

    assertThat(handOffs()).isEqualTo(6);
  }

  private void note(Step step) {
    threads.put(step, Thread.currentThread());
  }

  private PendingSignature noted(PendingSignature prepared) {
    return new PendingSignature() {
      @Override
      public void start(Signable signable, SignSchedule schedule) {
        note(Step.ASK_TOKEN);
        prepared.start(signable, schedule);
      }

      @Override
      public boolean isUnderWay() {
        return prepared.isUnderWay();
      }

      @Override
      public void abandon() {
        prepared.abandon();
      }

      @Override
      public Optional<OctetString> await(Deadline until) throws InterruptedException {
        return prepared.await(until);
      }
    };
  }

  /** Hands over from the client's thread through those of all steps, in their order, and back. */
  private int handOffs() {
    enroll(1);
    threads.clear();
    enroll(1);
    // A session reports what it signed after it has answered.
    Await.until("all steps are noted", () -> threads.size() == Step.values().length);
    int handOffs = 0;
    Thread last = Thread.currentThread();
    for (Step step : Step.values()) {
      Thread next = Objects.requireNonNull(threads.get(step));
      handOffs += next.equals(last) ? 0 : 1;
      last = next;
    }
    return handOffs + (last.equals(Thread.currentThread()) ? 0 : 1);
  }

  private void enroll(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(service.issue(request(), LONG)).isInstanceOf(IssuanceResult.Issued.class);
    }
  }

  /**
   * While outcomes cannot be written, signatures wait without holding a session of the token. A
   * stall that lasts as long as the lock timeout proves nothing, because recovery then finishes the
   * intents; it is repeated.
   */
  @Test
  void issue_databaseStalls_noSessionIsHeldAndClientsAreAnsweredInTime() throws Exception {
    enroll(1);
    int attempts = 1;
    while (!checkShortStall()) {
      attempts++;
      assertThat(attempts)
          .as("attempts at a stall shorter than the lock timeout")
          .isLessThan(ATTEMPTS_MAX);
    }
  }

  /** Returns false if the stall lasted as long as the lock timeout and proved nothing. */
  private boolean checkShortStall() throws Exception {
    List<Future<IssuanceResult>> waiting = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      long start;
      try (Connection other = PostgresForTests.get().connect(address);
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("LOCK TABLE outcome IN ACCESS EXCLUSIVE MODE");
        start = System.nanoTime();
        long signed = stats().completed();
        waiting.add(
            clients.submit(
                () -> service.issue(request(), Wait.ofClient(false, Duration.ofMillis(50)))));
        waiting.add(clients.submit(() -> service.issue(request(), LONG)));
        Await.until("an outcome waits for the database", () -> stats().completed() > signed);

        assertThat(tokens.sign(other())).isNotEmpty();
        Await.until("no session is held", () -> stats().inflight() == 0);
        assertThat(waiting.getFirst().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .isInstanceOf(IssuanceResult.Pending.class);
        other.rollback();
      }
      boolean isShort = Duration.ofNanos(System.nanoTime() - start).compareTo(LOCK_TIMEOUT) < 0;
      IssuanceResult last = waiting.getLast().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!isShort) {
        return false;
      }
      assertThat(last).isInstanceOf(IssuanceResult.Issued.class);
    }
    IssuanceResult.Pending answered = (IssuanceResult.Pending) waiting.getFirst().get();
    Await.until(
        "what its client no longer waited for is issued",
        () ->
            store.find(answered.order()).orElseThrow().outcome().orElse(null)
                instanceof Outcome.Issued);
    return true;
  }

  private HsmStats stats() {
    return tokens.statuses().getFirst().stats().orElseThrow();
  }

  private SignRequest other() {
    long by = System.nanoTime() + PATIENCE.toNanos();
    return new SignRequest(
        key,
        Mechanism.ECDSA_SHA256,
        new byte[32],
        new org.sluiceca.hsm.SignSchedule(Lane.STATUS, "another", by, by));
  }

  private Enrollment line(IssuerSigner signer) throws Exception {
    SubjectPublicKeyInfo publicKey = PublicKeyReader.read(pair.getPublic().getEncoded());
    Issuer named = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    IssuerCatalog issuers =
        new IssuerCatalog(
            List.of(
                new Issuer(
                    named.name(),
                    named.subject(),
                    publicKey,
                    KeyIdentifiers.of(publicKey),
                    new Validity(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(900))),
                    named.chain(),
                    named.publications(),
                    named.constraints())));
    SecureRandom random = new SecureRandom();
    BouncyCastleVerifier signatures = new BouncyCastleVerifier();
    return new Enrollment(
        new AcceptSteps(
            new Admission(8, () -> true, System::nanoTime, random),
            new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
            new CsrVerifier(signatures, KeyBlocklist.EMPTY),
            new Planner(issuers, new SerialNumbers(random), InstantSource.system())),
        new FinishSteps(signer, new PostSignCheck(issuers::publicKey, signatures)),
        new Ledger(store, new ClaimTerms(new NodeId("here"), CLAIM), System::nanoTime),
        event -> {
          if (event instanceof CaEvent.SignatureMade) {
            note(Step.CHECK);
          } else if (event instanceof CaEvent.CertificateIssued) {
            note(Step.ISSUED);
          }
        });
  }

  private static EnrollmentRequest request() {
    return new EnrollmentRequest(
        Fixtures.requester(),
        Fixtures.tlsServer().name(),
        CsrFixture.file("openssl-ec-p256"),
        Optional.empty());
  }

  private static KeyPair newPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
