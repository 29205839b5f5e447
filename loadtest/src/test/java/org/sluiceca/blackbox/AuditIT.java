package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What happens at a node stands in the audit trail, and {@code ./sluice audit verify} names each
 * row that was changed behind its back.
 */
@TestMethodOrder(OrderAnnotation.class)
class AuditIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(1, List.of(), Map.of("SLUICE_AUDIT_CHECKPOINT_PERIOD", "1s")));

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration COVERED_WITHIN = Duration.ofSeconds(60);

  /** Where a row waits while two are swapped. */
  private static final long PARKED = 3_000_000;

  /** The start of a JVM, and of PostgreSQL where no other test has started it. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static Program.Ended audit(String... words) {
    return TRIAL
        .trial()
        .sluice(Stream.concat(Stream.of("audit"), Stream.of(words)).toArray(String[]::new))
        .within(LIMIT)
        .run();
  }

  private static List<JsonNode> rows() {
    return audit("export").ok().text().lines().map(JSON::readTree).toList();
  }

  /** The sequence and chain of the last row of a kind. */
  private static JsonNode row(String kind) {
    return rows().stream()
        .filter(row -> row.path("kind").asString().equals(kind))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static String place(JsonNode row) {
    return "chain %s row %d: "
        .formatted(row.path("chain").asString(), row.path("sequence").asLong());
  }

  private static long exported() {
    Path folder = TRIAL.trial().data().resolve("node-0").resolve("audit");
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".json")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes the trail by SQL, looks what is found, and puts everything back. */
  private static void assertFound(String table, String sql, String... findings) {
    AuditRows.tamper(TRIAL.trial(), table, sql);
    Program.Ended ended = audit("verify");
    AuditRows.restore(TRIAL.trial(), table);

    assertThat(ended.status()).as(sql).isEqualTo(1);
    assertThat(ended.text()).as(sql).contains(findings);
  }

  @Test
  @Order(1)
  void events_ofEveryKind_areInTheTrail() {
    Api enroller = TRIAL.trial().enroller();
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "audit.example.com");
    String serial = enroller.enroll("tls-server", csr.pemBytes()).is(201).locationEnd();
    enroller.enroll("sub-ca", csr.pemBytes()).isProblem(403, "/profile-not-allowed");
    enroller.anonymous().with(Api.bearer("x".repeat(43))).get("/v1/capacity").is(401);
    enroller.get("/v1/credentials").is(403);
    JsonNode credential =
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/credentials",
                Map.of("requester", "robot", "roles", List.of("AUDITOR"), "days", 1))
            .is(201)
            .json();
    Poll.until(
        "the last row is written",
        COVERED_WITHIN,
        () -> rows().stream().anyMatch(r -> r.path("actor").asString().equals("admin")));

    List<String> kinds = rows().stream().map(r -> r.path("kind").asString()).toList();
    assertThat(kinds)
        .contains(
            "node.started",
            "profile.active",
            "certificates.issued",
            "request.rejected",
            "login.failed",
            "access.denied",
            "credential.register",
            "ceremony.begun",
            "ceremony.ended");
    assertThat(row("certificates.issued").toString()).contains(serial);
    assertThat(row("credential.register").path("actor").asString()).isEqualTo("admin");
    String everything = audit("export").ok().text();
    assertThat(everything)
        .doesNotContain(credential.path("token").asString(), "x".repeat(43))
        .doesNotContain(TRIAL.trial().read("admin.token").strip());
    long before = exported();
    enroller.get("/v1/credentials").is(403);
    Poll.until("a checkpoint covers that", COVERED_WITHIN, () -> exported() > before);
  }

  @Test
  @Order(2)
  void verify_nodeStopped_okAndTheStopIsCovered() {
    assertThat(audit("verify").ok().text()).endsWith("ok\n");

    TRIAL.trial().down().ok();

    Program.Ended ended = audit("verify").ok();
    Evidence.note("audit verify after a stop: " + ended.text().strip());
    assertThat(row("node.stopped").path("chain").asString())
        .isEqualTo(row("login.failed").path("chain").asString());
    TRIAL.trial().up().ok();
  }

  @Test
  @Order(3)
  void verify_tamperedBySql_rowNamed() {
    JsonNode login = row("login.failed");
    String chain = login.path("chain").asString();
    long sequence = login.path("sequence").asLong();
    String here = "WHERE chain = '%s' AND sequence = %d".formatted(chain, sequence);
    String changed = place(login) + "changed: its hash is not that of its content";

    assertFound("audit_event", "UPDATE audit_event SET content = '{}' " + here, changed);
    assertFound("audit_event", "UPDATE audit_event SET actor = 'admin' " + here, changed);
    assertFound("audit_event", "UPDATE audit_event SET kind = 'node.stopped' " + here, changed);
    assertFound(
        "audit_event",
        "UPDATE audit_event SET recorded_at = recorded_at - interval '1 hour' " + here,
        changed);
    assertFound(
        "audit_event",
        "UPDATE audit_event SET hash = previous " + here,
        changed,
        place(login) + "replaced: the next row continues another one");
    assertFound(
        "audit_event",
        "DELETE FROM audit_event " + here,
        place(login) + "missing, up to row " + sequence);
    assertFound(
        "audit_event",
        "DELETE FROM audit_event WHERE chain = '%s' AND sequence >= %d".formatted(chain, sequence),
        place(login) + "cut off, up to row ");
    String of =
        "UPDATE audit_event SET sequence = %d WHERE chain = '" + chain + "' AND sequence = %d";
    assertFound(
        "audit_event",
        String.join(";", of.formatted(PARKED, 1), of.formatted(1, 2), of.formatted(2, PARKED)),
        "chain %s row 1: changed".formatted(chain),
        "chain %s row 2: changed".formatted(chain));
    assertFound(
        "audit_signature",
        "UPDATE audit_signature SET signature = '\\x00' WHERE number = 1",
        "checkpoint 1: the signature in the database is not by the audit key");
    assertFound(
        "audit_event",
        "DELETE FROM audit_event",
        "chain %s row 1: cut off, up to row ".formatted(chain));
    assertThat(audit("verify").ok().text()).endsWith("ok\n");
  }

  @Test
  @Order(4)
  void verify_certificateInTheLedgerChanged_named() {
    JsonNode issued = row("certificates.issued");
    String serial = issued.path("content").path("certificates").path(0).path("serial").asString();

    LedgerRows.damage(
        TRIAL.trial(),
        "UPDATE outcome SET signature = '\\x3000' WHERE serial = decode(?, 'hex')",
        serial);

    assertThat(audit("verify").text())
        .contains(place(issued) + "certificate " + serial + " in the ledger is not the one");
  }
}
