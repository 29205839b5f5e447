package org.sluiceca.client.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.KeyKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests and answers that mean harm, or are broken: none harms another. */
class BatchHostileTest {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../escaped",
        "a/b",
        "..",
        ".",
        "",
        "a\\\\b",
        "C:a",
        "CON",
        "nul.x",
        "a.",
        ".a",
        "-a",
        "a b",
        "caf\u00e9",
        "a\\u0000",
        "a\\n",
      })
  void batch_idThatIsNoFileName_refusedAndTheNextIssued(String id) throws Exception {
    assertThat(batch.runLines(BatchFixture.line(id) + BatchFixture.line("good"))).isEqualTo(1);

    assertThat(batch.certificateFiles()).containsExactly("good.pem");
    assertThat(batch.node.lines()).hasSize(1);
    assertThat(batch.failed()).hasSize(1);
    assertThat(batch.failed().toString()).contains("Not sent");
    assertThat(names(folder)).doesNotContain("escaped.pem");
  }

  @Test
  void batch_idOf128Characters_issuedAndOfOneMoreNot() throws Exception {
    String longest = "a".repeat(128);

    assertThat(batch.runLines(BatchFixture.line(longest) + BatchFixture.line(longest + "b")))
        .isEqualTo(1);

    assertThat(batch.certificateFiles()).containsExactly(longest + ".pem");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ | is no JSON object",
        "[] | a line needs id and csr",
        "{\"id\":\"a\"} | a line needs id and csr",
        "{\"id\":\"a\",\"csr\":\"MAA=\"} | no certificate request",
        "{\"id\":\"a\",\"csr\":\"%%\"} | no certificate request",
        "{\"id\":7,\"csr\":\"MAA=\"} | not 'id' as here",
        "{\"id\":\"a\",\"csr\":\"MAA=\",\"proflie\":\"p\"} | not 'proflie' as here",
        "{\"id\":\"a\",\"csr\":\"MAA=\",\"profile\":\"p/q\"} | it has no profile",
        "{\"id\":\"GOOD\",\"csr\":\"CSR\"} | another request has this id",
      })
  void batch_badLine_listedAndTheOthersIssued(String bad, String says) throws Exception {
    String csr = BatchFixture.line("x").replaceAll(".*\"csr\":\"|\"}\n", "");

    int status =
        batch.runLines(
            BatchFixture.line("good")
                + "\r\n"
                + bad.replace("CSR", csr)
                + "\n"
                + BatchFixture.line("last").strip());

    assertThat(status).isEqualTo(1);
    assertThat(batch.certificateFiles()).containsExactly("good.pem", "last.pem");
    assertThat(batch.failed()).hasSize(1);
    assertThat(batch.failed().toString()).contains(says);
  }

  /** A service chooses neither how long the list grows nor what form it has. */
  @Test
  void batch_problemWithoutMembersOrWithEndlessOnes_cut() throws Exception {
    batch.requests(2);
    batch.node.plant(
        line ->
            Optional.of(
                "{\"id\":"
                    + line.path("id")
                    + ",\"status\":422,\"problem\":"
                    + (line.path("id").asString("").equals("host-0")
                        ? "null"
                        : "{\"title\":\"" + "t".repeat(200_000) + "\",\"more\":[1]}")
                    + "}\n"));

    assertThat(batch.run("--json")).isEqualTo(1);

    assertThat(Files.size(batch.certificates.resolve("failed.ndjson"))).isLessThan(3_000);
    assertThat(batch.failed()).hasSize(2).allMatch(f -> f.path("problem").isObject());
  }

  @Test
  void batch_lineAndFileOver64KiB_listedAndTheOthersIssued() throws Exception {
    String longLine = "{\"id\":\"a\",\"csr\":\"" + "A".repeat(70_000) + "\"}\n";
    assertThat(batch.runLines(longLine + BatchFixture.line("good"))).isEqualTo(1);
    assertThat(batch.certificateFiles()).containsExactly("good.pem");
    assertThat(batch.failed().toString()).contains("\"line 1\"", "over 64 KiB");

    Files.write(batch.requests.resolve("long.csr"), new byte[70_000]);
    Files.write(batch.requests.resolve("empty.csr"), new byte[0]);
    batch.requests(1);
    assertThat(batch.run()).isEqualTo(1);
    assertThat(batch.failed()).hasSize(2);
    assertThat(batch.certificateFiles()).containsExactly("good.pem", "host-0.pem");
  }

  @Test
  void batch_lineWithoutAProfile_hasThatOfTheCommandLine() throws Exception {
    Path file = Files.writeString(folder.resolve("x.ndjson"), BatchFixture.line("a"));

    assertThat(batch.run(file, "--profile", "p1")).isZero();
    String line = batch.node.lines().getFirst().toString();
    assertThat(line).contains("\"profile\":\"p1\"");
  }

  @Test
  void batch_resultForUnknownId_notWrittenAndTheRestListed() throws Exception {
    broken(
        line -> {
          String result = batch.node.result(line) + "\n";
          return result.replace("host-", "../other-");
        },
        "for no request that waits");

    assertThat(batch.certificateFiles()).isEmpty();
    assertThat(names(folder)).noneMatch(name -> name.startsWith("other"));
  }

  @Test
  void batch_sameResultTwice_writtenOnceAndTheNodeLeft() throws Exception {
    broken(
        line -> {
          String result = batch.node.result(line) + "\n";
          return result + result;
        },
        "for no request that waits");

    assertThat(batch.certificateFiles()).isNotEmpty();
  }

  @Test
  void batch_endlessLine_givenUp() throws Exception {
    broken(line -> "x".repeat(300_000), "a line is longer than 262144 octets");
  }

  @Test
  void batch_endlessEnd_givenUp() throws Exception {
    broken(line -> "{\"status\":503,\"problem\":{}}\n".repeat(3), "go on after the last one");
  }

  @Test
  void batch_noJson_givenUp() throws Exception {
    broken(line -> "\u001b[2J\n", "a result is no JSON object");
    assertThat(batch.err.toString()).doesNotContain("\u001b");
  }

  @Test
  void batch_answerEndsBeforeItsResults_givenUp() throws Exception {
    broken(line -> "", "results are missing");
  }

  @Test
  void batch_orderWithoutAnId_givenUp() throws Exception {
    broken(
        line -> "{\"id\":\"" + id(line) + "\",\"status\":202,\"location\":\"/v1/orders/../x\"}\n",
        "names no order");
  }

  @Test
  void batch_certificateForAnotherKey_neverWritten() throws Exception {
    byte[] other = Csr.of(KeyKind.EC_P256.generate(), new X500Name("CN=x"), List.of());
    JsonNode otherRequest =
        JsonNodeFactory.instance.objectNode().put("csr", Base64.getEncoder().encodeToString(other));
    refusedAlone(
        line -> batch.node.certificate(otherRequest, 3600).put("id", id(line)).put("status", 201),
        "for another public key");
  }

  @Test
  void batch_expiredCertificate_neverWritten() throws Exception {
    refusedAlone(
        line -> batch.node.certificate(line, -1).put("id", id(line)).put("status", 201),
        "has expired");
  }

  @Test
  void batch_noCertificate_listed() throws Exception {
    refusedAlone(
        line -> JsonNodeFactory.instance.objectNode().put("id", id(line)).put("status", 201),
        "holds no certificate");
  }

  /** One result of three is bad, and is final; the others are issued. */
  private void refusedAlone(Function<JsonNode, JsonNode> result, String says) throws Exception {
    batch.requests(3);
    batch.node.plant(
        line ->
            id(line).equals("host-1") ? Optional.of(result.apply(line) + "\n") : Optional.empty());

    assertThat(batch.run()).isEqualTo(1);

    assertThat(batch.certificateFiles()).containsExactly("host-0.pem", "host-2.pem");
    assertThat(batch.failed()).hasSize(1);
    assertThat(batch.failed().toString()).contains("host-1", says);
    assertThat(batch.node.lines()).hasSize(3);
  }

  /** An answer that cannot be believed ends the exchange, and the command says why. */
  private void broken(Function<JsonNode, String> answer, String says) throws Exception {
    batch.requests(3);
    batch.node.plant(line -> Optional.of(answer.apply(line)));

    assertThat(batch.run()).isEqualTo(1);

    assertThat(batch.failed()).isNotEmpty();
    assertThat(batch.failed().toString()).contains(says, "run the same command again");
  }

  private static String id(JsonNode line) {
    return line.path("id").asString();
  }

  private static List<String> names(Path below) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
