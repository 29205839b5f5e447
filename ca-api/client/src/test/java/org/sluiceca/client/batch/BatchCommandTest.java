package org.sluiceca.client.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x500.X500Name;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.shell.SchemaFile;
import tools.jackson.databind.JsonNode;

/** Many certificates by one command, whatever ends a run. */
class BatchCommandTest {
  private static final String SHA256_OF_WEB =
      "4b5e57f6eb2f42b9039b3d1e13929295f231749c510cbe341cd68036d9af97e2";

  @TempDir private Path folder;
  private BatchFixture batch;

  @BeforeEach
  void start() throws Exception {
    batch = new BatchFixture(folder);
  }

  @AfterEach
  void stop() {
    batch.close();
  }

  @Test
  void batch_folder_eachCertificateWithItsChain() throws Exception {
    batch.requests(600); // More than are sent without a result.
    Files.write(batch.requests.resolve("der-1.der"), BatchFixture.csr("der-1"));
    Files.writeString(
        batch.requests.resolve("pem-1.pem"),
        Csr.pem(KeyKind.EC_P256.generate().getPrivate()) + Csr.pem(BatchFixture.csr("pem-1")));
    Files.writeString(batch.requests.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\n");
    Files.writeString(batch.requests.resolve("README.txt"), "no request");

    assertThat(batch.run()).isZero();

    assertThat(batch.certificateFiles()).hasSize(602).contains("der-1.pem", "pem-1.pem");
    assertThat(PemFiles.certificates(batch.certificates.resolve("host-7.pem"))).hasSize(2);
    assertThat(batch.failed()).isEmpty();
    assertThat(batch.err.toString()).contains("602 of 602 are issued to");
    assertThat(batch.node.lines().toString()).doesNotContain("PRIVATE");
  }

  @Test
  void batch_again_sendsNothing() throws Exception {
    batch.requests(3);
    assertThat(batch.run()).isZero();
    int lines = batch.node.calls().size();

    assertThat(batch.run("--json")).isZero();

    assertThat(batch.node.calls()).hasSize(lines);
    assertThat(batch.out.toString().lines())
        .hasSize(3)
        .allMatch(line -> line.contains("\"result\":\"issued-before\""));
    assertLinesKeepTheSchema();
  }

  @Test
  void batch_killedBetweenAnswerAndFile_sameCertificateUnderTheSameKey() throws Exception {
    batch.requests(5);
    assertThat(batch.run()).isZero();
    // As if the kill had come before these two files and before the end of the run.
    Path lost = batch.certificates.resolve("host-1.pem");
    byte[] first = Files.readAllBytes(lost);
    Files.delete(lost);
    Files.delete(batch.certificates.resolve("host-2.pem"));
    Path unfinished =
        Files.write(
            batch.certificates.resolve(".host-1.pem.00000000-0000-4000-8000-000000000000"),
            new byte[] {'-'});

    assertThat(batch.run()).isZero();

    assertThat(lost).hasBinaryContent(first);
    assertThat(batch.node.issued()).isEqualTo(5);
    assertThat(ids()).endsWith("host-1", "host-2").hasSize(7);
    assertThat(unfinished).doesNotExist();
  }

  @Test
  void batch_connectionBreaksInTheMiddle_goesOnWithNoneTwiceAndNoneMissing() throws Exception {
    batch.requests(40);
    AtomicInteger count = new AtomicInteger();
    batch.node.plant(
        line -> {
          if (count.incrementAndGet() != 25) {
            return Optional.empty();
          }
          // Issued, and its result lost.
          assertThat(batch.node.result(line).isObject()).isTrue();
          return Optional.of(BatchNode.CUT);
        });

    assertThat(batch.run("--wait", "20")).isZero();

    assertThat(batch.certificateFiles()).hasSize(40);
    assertThat(batch.node.issued()).isEqualTo(40);
    assertThat(batch.node.calls()).hasSize(2);
  }

  @Test
  void batch_changedRequest_itsOwnKeyAndTheOldCertificateReplaced() throws Exception {
    batch.requests(1);
    assertThat(batch.run()).isZero();
    byte[] other = Csr.of(KeyKind.EC_P256.generate(), new X500Name("CN=x"), List.of());
    Files.writeString(batch.requests.resolve("host-0.csr"), Csr.pem(other));

    assertThat(batch.run()).isZero();

    assertThat(batch.node.issued()).isEqualTo(2);
    assertThat(batch.run()).isZero();
    assertThat(batch.node.lines()).hasSize(2);
  }

  @Test
  void batch_busyInTheMiddle_theRestWhenTheServiceAsks() throws Exception {
    batch.requests(20);
    AtomicInteger count = new AtomicInteger();
    batch.node.plant(
        line ->
            count.incrementAndGet() == 3
                ? Optional.of(
                    result(line, "\"status\":503,\"retryAfter\":1,\"problem\":{\"title\":\"x\"}"))
                : Optional.empty());

    assertThat(batch.run("--wait", "20")).isZero();

    assertThat(batch.certificateFiles()).hasSize(20);
    assertThat(batch.node.issued()).isEqualTo(20);
    assertThat(batch.err.toString()).contains("the server is busy (503): again in 1 s");
  }

  @Test
  void batch_laterThanThereIsTime_theRestIsListed() throws Exception {
    batch.requests(3);
    batch.node.plant(
        line ->
            Optional.of(
                result(
                    line,
                    "\"status\":429,\"retryAfter\":900,"
                        + "\"problem\":{\"type\":\"/problems/quota\",\"title\":\"Quota\"}")));

    assertThat(batch.run()).isEqualTo(1);

    assertThat(batch.failed()).hasSize(3);
    assertThat(batch.failed().toString()).contains("429 Quota; run the same command again");
    assertThat(batch.err.toString()).contains("3 of 3 failed, see ", "failed.ndjson");
    batch.node.plant(line -> Optional.empty());
    assertThat(batch.run()).isZero();
    assertThat(batch.failed()).isEmpty();
  }

  @Test
  void batch_refusedLine_isListedAndTheOthersIssued() throws Exception {
    batch.requests(20);
    batch.node.plant(
        line ->
            line.path("id").asString().equals("host-3")
                ? Optional.of(
                    result(line, "\"status\":422,\"problem\":{\"title\":\"Weak \\u001b key\"}"))
                : Optional.empty());

    assertThat(batch.run("--json")).isEqualTo(1);

    assertThat(batch.certificateFiles()).hasSize(19);
    assertThat(batch.failed()).hasSize(1);
    assertThat(batch.failed().getFirst().path("id").asString()).isEqualTo("host-3");
    assertThat(batch.out.toString().lines()).hasSize(20);
    assertThat(batch.out.toString())
        .contains("{\"id\":\"host-3\",\"result\":\"failed\",\"problem\":{\"title\":\"Weak ")
        .doesNotContain("\u001b");
    assertLinesKeepTheSchema();
    assertThat(batch.node.calls()).hasSize(1);
  }

  @Test
  void batch_orders_fetchedWhenIssued() throws Exception {
    batch.requests(4);
    batch.node.plant(
        line ->
            line.path("id").asString().equals("host-3")
                ? Optional.empty()
                : Optional.of(batch.node.accepted(line)));

    assertThat(batch.run("--wait", "20")).isZero();

    assertThat(batch.certificateFiles()).hasSize(4);
    assertThat(batch.node.issued()).isEqualTo(4);
    assertThat(batch.node.lines()).hasSize(4);
  }

  @Test
  void batch_wholeIsRefused_endsWithTheReason() throws Exception {
    batch.requests(3);
    batch.node.refuse("403 {\"title\":\"Forbidden\",\"detail\":\"not your profile\"}");

    assertThat(batch.run()).isEqualTo(1);

    assertThat(batch.err.toString()).contains("403 Forbidden: not your profile");
    assertThat(batch.node.calls()).hasSize(1);
  }

  @Test
  void batch_resumedAfterTheKeysAreForgotten_saysSoAndSendsNothing() throws Exception {
    batch.requests(2);
    assertThat(batch.run()).isZero();
    Files.delete(batch.certificates.resolve("host-1.pem"));
    batch.rename("\"began\":\"[^\"]*\"", "\"began\":\"2020-01-01T00:00:00Z\"");

    assertThat(batch.run()).isEqualTo(1);
    assertThat(batch.err.toString())
        .contains(
            "keeps idempotency keys for seven days: of 1 requests without a certificate here");
    assertThat(batch.node.lines()).hasSize(2);

    assertThat(batch.run("--new-keys")).isZero();
    assertThat(batch.node.lines()).hasSize(3);
  }

  /** A clock that was once wrong must not make keys count without end. */
  @Test
  void batch_beganInTheFuture_asIfTheKeysWereForgotten() throws Exception {
    batch.requests(1);
    assertThat(batch.run()).isZero();
    batch.requests(2);
    batch.rename("\"began\":\"[^\"]*\"", "\"began\":\"2099-01-01T00:00:00Z\"");

    assertThat(batch.run()).isEqualTo(1);
    assertThat(batch.node.lines()).hasSize(1);
    assertThat(batch.run("--new-keys")).isZero();
  }

  /** What a later run with other requests learns says nothing of the first ones. */
  @Test
  void batch_otherRequestsInBetween_theFirstOnesAreStillLate() throws Exception {
    batch.requests(2);
    batch.node.plant(
        line ->
            line.path("id").asString("").equals("host-1")
                ? Optional.of(BatchNode.CUT)
                : Optional.empty());
    assertThat(batch.run("--wait", "0")).isEqualTo(1);
    batch.node.plant(line -> Optional.empty());
    assertThat(batch.runLines(BatchFixture.line("other"))).isZero();
    batch.rename("\"began\":\"[^\"]*\"", "\"began\":\"2020-01-01T00:00:00Z\"");
    int sent = batch.node.lines().size();

    assertThat(batch.run()).isEqualTo(1);

    assertThat(batch.err.toString()).contains("keeps idempotency keys for seven days");
    assertThat(batch.node.lines()).hasSize(sent);
  }

  @Test
  void batch_linesChangeWhileTheyAreSent_endsAndSaysSo() throws Exception {
    batch.node.plant(
        line -> {
          try {
            Files.writeString(folder.resolve("requests.ndjson"), BatchFixture.line("a"));
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          return Optional.of(BatchNode.CUT);
        });

    assertThat(batch.runLines(BatchFixture.line("a") + BatchFixture.line("b"), "--wait", "20"))
        .isEqualTo(1);

    assertThat(batch.err.toString()).contains("has changed while it was read");
    assertThat(batch.node.calls()).hasSize(1);
  }

  @Test
  void batch_otherProfileForTheSameFolder_refused() throws Exception {
    batch.requests(1);
    assertThat(batch.run()).isZero();

    assertThat(batch.run("--profile", "tls-client")).isEqualTo(2);

    assertThat(batch.err.toString()).contains("holds a batch of --profile tls-server");
  }

  @Test
  void batch_placeOfACertificateHoldsAKey_neverOverwritten() throws Exception {
    batch.requests(2);
    Files.createDirectory(batch.certificates);
    String key = Csr.pem(KeyKind.EC_P256.generate().getPrivate());
    Path file = Files.writeString(batch.certificates.resolve("host-0.pem"), key);

    assertThat(batch.run()).isEqualTo(1);

    assertThat(file).hasContent(key);
    assertThat(ids()).containsExactly("host-1");
    assertThat(batch.failed().toString()).contains("is not overwritten");
  }

  @Test
  void batch_secondProcessInTheFolder_refused() throws Exception {
    batch.requests(1);
    try (BatchFolder taken = BatchFolder.open(batch.certificates)) {
      assertThat(batch.run()).isEqualTo(1);
      assertThat(batch.err.toString()).contains("another sluice batch works in " + taken.path());
    }
    assertThat(batch.run()).isZero();
  }

  @Test
  void batch_badOptions_sayWhatToDo() throws Exception {
    assertThat(batch.run()).isEqualTo(1);
    assertThat(batch.run(batch.requests, "--profile", "a/b")).isEqualTo(2);
    assertThat(batch.run(folder.resolve("none"))).isEqualTo(1);
    Files.createSymbolicLink(batch.certificates, batch.requests);
    batch.requests(1);
    assertThat(batch.run()).isEqualTo(2);

    assertThat(batch.err.toString())
        .contains("holds no request", "--profile is a name", "is no folder and no file")
        .contains("--out is the folder of the requests");
    assertThat(batch.node.calls()).isEmpty();
  }

  @Test
  void batch_ordinaryRun_keysArePrintableAndDiffer() throws Exception {
    batch.requests(3);
    assertThat(batch.run()).isZero();

    Set<String> keys =
        batch.node.lines().stream()
            .map(line -> line.path("idempotencyKey").asString())
            .collect(Collectors.toSet());
    assertThat(keys)
        .hasSize(3)
        .allMatch(key -> key.matches("[!-~]{1,255}"))
        .allMatch(key -> StandardCharsets.US_ASCII.newEncoder().canEncode(key));
  }

  /** Idempotency keys are each requester's own. Its token is not kept, nor a plain digest of it. */
  @Test
  void batch_resumedWithAnotherCredential_warnsThoughQuiet() throws Exception {
    batch.requests(2);
    Path lost = batch.certificates.resolve("host-1.pem");
    assertThat(batch.run()).isZero();
    assertThat(batch.certificates.resolve("batch.json"))
        .content()
        .containsPattern("\"credential\":\"[0-9a-f]{64}\"")
        .doesNotContain("\"web\"", SHA256_OF_WEB);
    Files.delete(lost);
    assertThat(batch.run()).isZero();
    assertThat(batch.err.toString()).doesNotContain("another credential");

    Files.writeString(folder.resolve("web.token"), "other\n");
    assertThat(batch.run()).as("nothing is left to send").isZero();
    assertThat(batch.err.toString()).doesNotContain("another credential");
    Files.delete(lost);
    assertThat(batch.run("--quiet")).isZero();
    assertThat(batch.err.toString()).containsOnlyOnce("begun with another credential");

    // As an older client has left it.
    batch.rename(",\"credential\":\"[0-9a-f]*\"", "");
    Files.delete(lost);
    assertThat(batch.run()).isZero();
    assertThat(batch.err.toString()).containsOnlyOnce("begun with another credential");
  }

  private void assertLinesKeepTheSchema() throws Exception {
    for (String line : batch.out.toString().lines().toList()) {
      assertThat(SchemaFile.faults("batch", line)).isEmpty();
    }
  }

  private List<String> ids() {
    return batch.node.lines().stream().map(line -> line.path("id").asString()).toList();
  }

  private static String result(JsonNode line, String members) {
    return "{\"id\":\"" + line.path("id").asString() + "\"," + members + "}\n";
  }
}
