package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.blackbox.SchemaJudge.Verdict;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document is true: a foreign program that knows nothing else finds no lie in it. */
class SchemaIT {

  /**
   * Of its own: every credential but a few is revoked, and hundreds are registered. With shards and
   * deltas, or no request for one could ever succeed.
   */
  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              Trial.Options.nodes(1)
                  .with(Map.of("SLUICE_CRL_SHARDS", "2", "SLUICE_CRL_DELTA_INTERVAL", "10s")));

  private static final String DOCUMENT = "/v3/api-docs";

  /** A run that made fewer has not tried. */
  private static final int REQUESTS_MIN = 400;

  private static final int OPERATIONS_MIN = 12;

  @BeforeEach
  void judge_isThere() {
    assumeTrue(SchemaJudge.installed().isPresent(), "schemathesis is not installed");
  }

  @Test
  void answers_toWhateverTheDocumentAllowsOrNot_areWhatItSays() throws IOException {
    assertTruthful(SchemaJudge.FEW);
  }

  @Test
  @Tag("nightly")
  void answers_toMuchMore_areWhatItSays() throws IOException {
    assertTruthful(SchemaJudge.MANY);
  }

  private static void assertTruthful(int examples) throws IOException {
    long start = System.nanoTime();

    Verdict verdict =
        SchemaJudge.of(TRIAL.trial()).judge(examples, TRIAL.trial().https(0) + DOCUMENT);

    Evidence.append("schemathesis.txt", verdict.text());
    Evidence.note(
        "schemathesis: %d requests in %s, %s answered with success"
            .formatted(
                verdict.requests(),
                Evidence.millis(Duration.ofNanos(System.nanoTime() - start)),
                verdict.accepted()));
    assertThat(verdict.faults()).as(verdict.text()).isEmpty();
    assertThat(verdict.requests()).isGreaterThan(REQUESTS_MIN);
    // What was only ever refused has not been compared with its document.
    assertThat(verdict.accepted()).hasSizeGreaterThanOrEqualTo(OPERATIONS_MIN);
    Map<String, Integer> accepted = new TreeMap<>(verdict.accepted());
    // No client of ACME has made an order. Everything is issued before it could be cancelled, no
    // dry run's confirmation comes back,
    // nothing waits for a second person, no ceremony has made another issuer's key, and the only
    // issuer stays. ExamplesIT does all of that.
    for (String nothingThere :
        List.of(
            "GET /v1/requests/{id}",
            "DELETE /v1/orders/{id}",
            "GET /v1/revocations/{id}",
            "GET /v1/approvals/{id}",
            "DELETE /v1/approvals/{id}",
            "POST /v1/approvals/{id}/approval",
            "POST /v1/approvals/{id}/refusal",
            "POST /v1/issuers",
            "POST /v1/issuers/{name}/certificate",
            "POST /v1/issuers/{name}/retirement")) {
      assertThat(accepted.remove(nothingThere)).as(nothingThere).isZero();
    }
    assertThat(accepted.values()).allMatch(count -> count > 0);
    assertThat(TRIAL.trial().read("node-0.log")).doesNotContain("\"level\":\"ERROR\"");
  }

  /** The judge is judged: a document with lies in it must not pass. */
  @Test
  void lies_inTheDocument_areFoundOut() throws IOException {
    JsonNode document = TRIAL.trial().enroller().get(DOCUMENT).is(200).json();
    array(document, "/components/schemas/Capacity/properties/lanes/items/required")
        .add("ratePerHour");
    object(document, "/paths/~1problems~1{name}/get/parameters/0/schema")
        .removeAll()
        .put("type", "string");
    // The judge would keep to it.
    object(document, "/paths/~1problems~1{name}/get/parameters/0").remove("example");
    object(document, "/paths/~1v1~1certificates~1{serial}/get/responses").remove("400");
    object(document, "/paths/~1v1~1credentials").remove("get");
    ObjectNode content = object(document, "/paths/~1v1~1issuers/get/responses/200/content");
    content.set("application/xml", content.remove("application/json"));
    Path planted =
        Csr.write(TRIAL.trial().folder(), JsonMapper.shared().writeValueAsString(document));

    Verdict verdict =
        SchemaJudge.of(TRIAL.trial())
            .judge(
                SchemaJudge.MANY,
                planted.toString(),
                "--url",
                TRIAL.trial().https(0).toString(),
                "--phases",
                "coverage,fuzzing",
                "--include-path-regex",
                "^(/v1/(capacity|certificates/.serial.|credentials|issuers)|/problems/.name.)$");

    assertThat(verdict.faults())
        .as(verdict.text())
        .contains(
            "Response violates schema: GET /v1/capacity",
            "Schema-valid request rejected: GET /problems/{name}",
            "Undocumented status code: GET /v1/certificates/{serial}",
            "Undocumented Content-Type: GET /v1/issuers",
            "Allow header mismatch: OPTIONS /v1/credentials");
  }

  private static ObjectNode object(JsonNode document, String pointer) {
    return (ObjectNode) document.at(pointer);
  }

  private static ArrayNode array(JsonNode document, String pointer) {
    return (ArrayNode) document.at(pointer);
  }
}
