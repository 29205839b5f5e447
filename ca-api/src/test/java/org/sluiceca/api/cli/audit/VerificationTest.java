package org.sluiceca.api.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.audit.IssuedCertificate;
import org.sluiceca.api.audit.checkpoint.CheckpointFiles;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.audit.store.PostgresCheckpointStore;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.Checkpoints;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** A trail in a real database, changed by SQL: {@code audit verify} names the row. */
@Execution(ExecutionMode.CONCURRENT)
class VerificationTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final String CHAIN = "node-0.0000000000000001";
  private static final Instant AT = Instant.parse("2026-05-04T10:00:00Z");
  private static final Duration CLAIM = Duration.ofSeconds(15);

  @TempDir private Path directory;

  private final Address address = SERVER.freshDatabase();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private LedgerDatabase database;

  @SuppressWarnings("NullAway.Init")
  private Intent intent;

  /** Four rows: a start, a failed login, a certificate, a stop; the first three are covered. */
  @BeforeEach
  void write() throws Exception {
    database = new LedgerDatabase(address);
    PostgresForTests.awaitLogin(database);
    IssuedCertificate certificate = issue();
    AuditTrail trail = new AuditTrail(CHAIN, new AuditStore(database)::append, () -> AT);
    trail.start();
    trail.recordDurably(fact(AuditKind.NODE_STARTED));
    trail.recordDurably(fact(AuditKind.LOGIN_FAILED));
    trail.issued(certificate);
    trail.recordDurably(fact(AuditKind.NODE_STOPPED));
    trail.close();
    checkpoint(trail);
    Files.writeString(
        directory.resolve("audit.pem"), Pem.write(Pem.PUBLIC_KEY, KEY.publicKey().encoded()));
  }

  /** As the node that has written {@code trail} would. */
  private void checkpoint(AuditTrail trail) throws IOException {
    Checkpoints checkpoints =
        new Checkpoints(
            new Checkpoints.Steps(
                trail::head,
                new PostgresCheckpointStore(database),
                new FakeSigner(new IssuerName("audit"), KEY, SoftwareKey.named("ec-p256")),
                new PostSignCheck(name -> Optional.of(KEY.publicKey()), new BouncyCastleVerifier()),
                () -> AT));
    Deadline soon = Deadline.after(CLAIM, System::nanoTime);
    new CheckpointFiles(directory)
        .write(
            checkpoints
                .take(new SignSchedule(Lane.STATUS, new RequesterId("sluice.audit"), soon, soon))
                .orElseThrow());
  }

  private static Fact fact(AuditKind kind) {
    return new Fact(kind, AuditEvent.UNKNOWN_ACTOR, Map.of("test", kind.text()));
  }

  private IssuedCertificate issue() {
    ClaimTerms terms = new ClaimTerms(new NodeId("node"), CLAIM);
    intent = new Intents(1).next();
    try (PostgresLedgerStore ledger =
        new PostgresLedgerStore(database, CLAIM, (size, nanos) -> {}, System::nanoTime)) {
      Deadline soon = Deadline.after(CLAIM, System::nanoTime);
      ledger.recordIntent(intent, terms, soon);
      ledger.recordOutcome(
          intent.serialNumber(),
          new Outcome.Issued(OctetString.copyOf(new byte[] {1, 2, 3})),
          new Claim(terms.owner(), 0, soon),
          soon);
      return IssuedCertificate.of(
          intent.serialNumber(),
          intent.origin().requester(),
          ledger.find(intent.serialNumber()).orElseThrow().certificate().orElseThrow());
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void tamper(String table, String sql) {
    SERVER.execute(
        address,
        "ALTER TABLE %s DISABLE TRIGGER USER".formatted(table),
        sql,
        "ALTER TABLE %s ENABLE TRIGGER USER".formatted(table));
  }

  private void tamper(String sql) {
    tamper("audit_event", sql);
  }

  /** Exit code and everything printed. */
  private record Ended(int code, List<String> lines) {}

  private Ended run(String... more) {
    StringWriter out = new StringWriter();
    int code =
        AuditCommand.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(
                java.util.stream.Stream.concat(
                        java.util.stream.Stream.of(more),
                        java.util.stream.Stream.of(
                            "--database-url=" + address.url(),
                            "--database-user=" + address.user(),
                            "--database-password-file=" + address.passwordFile()))
                    .toArray(String[]::new));
    return new Ended(code, out.toString().lines().toList());
  }

  private Ended verify() {
    return run("verify", "--checkpoints=" + directory, "--key=" + directory.resolve("audit.pem"));
  }

  private void assertFound(String... findings) {
    Ended ended = verify();
    assertThat(ended.lines().subList(0, ended.lines().size() - 1)).containsExactly(findings);
    assertThat(ended.lines().getLast()).endsWith(findings.length + " findings");
    assertThat(ended.code()).isEqualTo(1);
  }

  private static String row(int number, String what) {
    return "chain %s row %d: %s".formatted(CHAIN, number, what);
  }

  private static final String CHANGED = "changed: its hash is not that of its content";

  @Test
  void verify_untouched_ok() {
    Ended ended = verify();

    assertThat(ended.lines())
        .containsExactly(
            "4 rows in 1 chains, 1 checkpoints (the last signed one 1), 1 exported,"
                + " 1 certificates compared: ok");
    assertThat(ended.code()).isZero();
  }

  @Test
  void verify_anyColumnChanged_rowNamed() {
    for (String change :
        List.of(
            "recorded_at = recorded_at + interval '1 microsecond'",
            "kind = 'node.stopped'",
            "actor = 'mallory'",
            "content = '{}'")) {
      SERVER.execute(address, "CREATE TABLE kept AS TABLE audit_event");
      tamper("UPDATE audit_event SET %s WHERE sequence = 2".formatted(change));

      assertFound(row(2, CHANGED));

      tamper("DELETE FROM audit_event");
      SERVER.execute(address, "INSERT INTO audit_event TABLE kept", "DROP TABLE kept");
    }
    assertThat(verify().code()).isZero();
  }

  /** The owner of the tables removes rows that no checkpoint covers, of a node that idles. */
  @Test
  void verify_newestRowsRemovedBeforeACheckpoint_theNextOneCoversThem() throws Exception {
    AuditTrail idle =
        new AuditTrail("node-1.0000000000000001", new AuditStore(database)::append, () -> AT);
    idle.start();
    idle.recordDurably(fact(AuditKind.NODE_STARTED));
    idle.recordDurably(fact(AuditKind.LOGIN_FAILED));
    tamper("DELETE FROM audit_event WHERE chain LIKE 'node-1.%' AND sequence = 2");

    checkpoint(idle);

    assertFound(
        "chain node-1.0000000000000001 row 2: cut off, up to row 2 at least, which checkpoint 2"
            + " covers");
    idle.close();
  }

  @Test
  void verify_rowRemoved_named() {
    tamper("DELETE FROM audit_event WHERE sequence = 2");

    assertFound(row(2, "missing, up to row 2"));
  }

  @Test
  void verify_rowsSwapped_named() {
    tamper(
        "UPDATE audit_event SET content = CASE sequence"
            + " WHEN 1 THEN '{\"test\":\"login.failed\"}' ELSE '{\"test\":\"node.started\"}' END"
            + " WHERE sequence <= 2");

    assertFound(row(1, CHANGED), row(2, CHANGED));
  }

  @Test
  void verify_tailCut_named() {
    tamper("DELETE FROM audit_event WHERE sequence >= 3");

    assertFound(row(3, "cut off, up to row 4 at least, which checkpoint 1 covers"));
  }

  @Test
  void verify_rolledBackToBeforeTheCheckpoint_named() {
    tamper("DELETE FROM audit_event WHERE sequence >= 4");
    tamper("audit_signature", "DELETE FROM audit_signature");
    tamper("audit_checkpoint", "DELETE FROM audit_checkpoint");

    assertFound(
        "checkpoint 1: missing",
        row(4, "cut off, up to row 4 at least, which checkpoint 1 covers"));
  }

  @Test
  void verify_certificateInTheLedgerChanged_named() {
    SERVER.execute(address, "UPDATE outcome SET signature = '\\x01'");

    assertFound(
        row(
            3,
            "certificate %s in the ledger is not the one that was issued"
                .formatted(intent.serialNumber().hex())));
  }

  @Test
  void verify_certificateGoneFromTheLedger_named() {
    SERVER.execute(address, "DELETE FROM outcome");

    assertFound(
        row(3, "certificate %s is missing in the ledger".formatted(intent.serialNumber().hex())));
  }

  @Test
  void verify_exportIsNoCheckpoint_named() throws Exception {
    Path garbled = Files.writeString(directory.resolve("checkpoint-9.json"), "{}");

    assertFound("exported checkpoint %s: cannot be read".formatted(garbled));
  }

  @Test
  void verify_withoutKeyAndCheckpoints_saysWhatItCannotFind() {
    Ended ended = run("verify");

    assertThat(ended.code()).isZero();
    assertThat(ended.lines())
        .anyMatch(line -> line.contains("without --key no signature was verified"))
        .anyMatch(line -> line.contains("without exported checkpoints"));
  }

  @Test
  void export_rows_oneJsonObjectALine() {
    Ended ended = run("export");

    assertThat(ended.code()).isZero();
    assertThat(ended.lines()).hasSize(6);
    assertThat(ended.lines().getFirst())
        .startsWith("{\"chain\":\"audit.checkpoint\",\"sequence\":1,");
    assertThat(ended.lines().getLast())
        .contains("\"content\":{\"checkpoints\":1,\"rows\":4,\"filtered\":false}");
    assertThat(ended.lines().get(1))
        .startsWith("{\"chain\":\"" + CHAIN + "\",\"sequence\":1,\"recordedAt\":\"2026-05-04T")
        .contains("\"kind\":\"node.started\"", "\"content\":{\"test\":\"node.started\"}");
    assertThat(run("export", "--from=2026-05-05T00:00:00Z").lines())
        .hasSize(2)
        .last()
        .asString()
        .contains("\"content\":{\"checkpoints\":1,\"rows\":0,\"filtered\":true}");
    assertThat(run("export", "--from=yesterday").code()).isEqualTo(2);
  }
}
