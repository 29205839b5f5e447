package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The document's examples keep to its schemas, and their judge finds every lie that is planted. */
class ExamplesTest {

  private static final String ENROLL = "/paths/~1v1~1certificates/post";
  private static final String ISSUED = "/components/examples/Issued/value";
  private static final String WAITS = "/components/examples/ActivationWaits/value";

  private final JsonNode document =
      JsonMapper.shared().readTree(Checkout.text("ca-api/src/main/resources/openapi.json"));

  private Examples examples() {
    return new Examples(document);
  }

  private ObjectNode object(String pointer) {
    return (ObjectNode) document.at(pointer);
  }

  private static Answer answer(int status, JsonNode body) {
    return answer(status, Api.JSON, JsonMapper.shared().writeValueAsBytes(body));
  }

  private static Answer answer(int status, String type, byte[] body) {
    Map<String, String> headers = new TreeMap<>();
    for (String name : List.of("Location", "Retry-After", "ETag", "Last-Modified")) {
      headers.put(name, "1");
    }
    headers.put("Content-Type", type);
    return Answer.of(status, headers, body);
  }

  /** What the judge says of the example itself, changed. */
  private List<String> judged(
      String operation, int status, String example, Consumer<ObjectNode> change) {
    ObjectNode body = object(example).deepCopy();
    change.accept(body);
    Examples examples = examples();
    return examples.judge(examples.call(operation), answer(status, body));
  }

  @Test
  void document_asItIs_hasNoFault() {
    assertThat(examples().faults()).isEmpty();
  }

  @Test
  void faults_noExample_found() {
    object(ENROLL + "/requestBody/content/application~1pkcs10").remove("examples");
    object("/components/responses/PendingOrder/content/application~1json").remove("examples");
    object("/paths/~1v1~1orders~1{id}/get/parameters/0").remove("example");

    assertThat(examples().faults())
        .containsExactlyInAnyOrder(
            "enroll request application/pkcs10 has no example",
            "enroll answer 202 application/json has no example",
            "renew answer 202 application/json has no example",
            "getOrder parameter id has no example");
  }

  @Test
  void faults_exampleThatBreaksItsSchema_found() {
    object(ISSUED).put("serial", 17);
    object(ISSUED).remove("chain");
    object("/components/examples/PendingOrder/value").put("status", "waiting").put("place", 1);
    object("/components/examples/StoredProfile/value").put("version", 1);
    object(ENROLL + "/parameters/0").put("example", "TLS");
    object("/paths/~1v1~1capacity/get/responses/200/content/application~1json/example/lanes/0")
        .remove("depth");
    object("/paths/~1v1~1reports~1expiry/get/responses/200/content/application~1json/example")
        .put("from", "today");
    object("/paths/~1v1~1revocations/post/requestBody/content/application~1json/examples/count")
        .putObject("value")
        .put("reason", "superseded")
        .put("dryRun", true)
        .putObject("selection")
        .put("issuedAfter", "2026-01-31T12:00:00Z");
    ObjectNode lines =
        object("/paths/~1v1~1certificates:batch/post/requestBody/content/application~1x-ndjson");
    lines.put("example", lines.path("example").asString() + "{\"profile\":\"tls-server\"}\n");

    assertThat(examples().faults())
        .contains(
            "enroll answer 201 application/json issued: /serial is NUMBER, not \"string\"",
            "enroll answer 201 application/json issued: /chain is missing",
            "enroll answer 202 application/json pending: /place is not documented",
            "addProfileVersion answer 201 application/json stored:"
                + " /version is 1, out of its bounds",
            "enroll parameter profile: it is TLS, not like ^[a-z][a-z0-9-]{0,39}$",
            "getCapacity answer 200 application/json example: /lanes/0/depth is missing",
            "reportExpiry answer 200 application/json example: /from is today, no date",
            "revokeMany request application/json count:"
                + " /selection lacks what its condition requires",
            "enrollBatch request application/x-ndjson example: /csr is missing")
        .anyMatch(fault -> fault.contains("pending: /status is \"waiting\", not of"));
  }

  /** Each is its own answer; so nothing but what is no JSON is left, and what nobody sent. */
  @Test
  void judge_examplesAsAnswers_areTrue() {
    Examples examples = examples();
    for (var path : document.path("paths").properties()) {
      for (JsonNode operation : path.getValue().values()) {
        String id = operation.path("operationId").asString();
        ExampleCall call = examples.call(id);
        call.operation()
            .successes()
            .forEach(
                (status, response) -> {
                  JsonNode media = response.path("content").path(Api.JSON);
                  for (var example : call.operation().examples(media)) {
                    assertThat(
                            examples.judge(call, answer(Integer.parseInt(status), example.value())))
                        .as(id)
                        .isEmpty();
                  }
                });
      }
    }

    assertThat(examples.size()).isGreaterThan(40);
    assertThat(examples.left())
        .filteredOn(left -> left.contains(" answers "))
        .isNotEmpty()
        .noneMatch(left -> left.contains(Api.JSON));
  }

  @Test
  void left_operationThatNobodyTried_named() {
    object("/paths")
        .putObject("/v1/new")
        .putObject("get")
        .put("operationId", "getNew")
        .putObject("responses")
        .putObject("204")
        .put("description", "Nothing");

    assertThat(examples().left()).contains("getNew answers 204");
    assertThat(examples().faults()).isEmpty();
  }

  @Test
  void judge_answerThatIsNotAsDocumented_found() {
    assertThat(judged("enroll", 422, ISSUED, body -> {}))
        .singleElement()
        .asString()
        .startsWith("enroll: no success is documented as 422");
    assertThat(judged("enroll", 201, ISSUED, body -> body.put("issuer", 1)))
        .contains("enroll answers 201 but /issuer is NUMBER, not \"string\"");
    assertThat(judged("enroll", 201, ISSUED, body -> body.remove("notAfter")))
        .contains("enroll answers 201 but /notAfter is missing");
    assertThat(judged("enroll", 201, ISSUED, body -> body.put("owner", "web")))
        .contains("enroll answers 201 but /owner is not documented");
    assertThat(judged("getApproval", 200, WAITS, body -> content(body).remove("replaces")))
        .containsExactly("getApproval answers 200 but /content/replaces is only in the example");
    assertThat(judged("getApproval", 200, WAITS, body -> content(body).put("version", "3")))
        .containsExactly(
            "getApproval answers 200 but /content/version is STRING, in the example NUMBER");
    Examples examples = examples();
    ExampleCall call = examples.call("enroll");
    byte[] pem = Api.ascii("-----BEGIN CERTIFICATE-----\n");
    assertThat(examples.judge(call, answer(201, "text/plain", pem)))
        .containsExactly("enroll answers 201 but Content-Type text/plain is not documented");
    assertThat(
            examples.judge(
                call, Answer.of(201, Map.of("Content-Type", "application/pkix-cert"), pem)))
        .containsExactly("enroll answers 201 but there is no Location");
    assertThat(
            examples.judge(
                examples.call("getProblemType"), answer(200, "text/plain", Api.ascii("422\n"))))
        .containsExactly("getProblemType answers 200 but it is another text: 422\n");
    assertThat(
            examples.judge(
                examples.call("listApprovals"), answer(200, JsonMapper.shared().createArrayNode())))
        .containsExactly("listApprovals answers 200 but it is empty in the answer");
    assertThat(examples.judge(examples.call("revokeCredential"), answer(204, "", pem)))
        .containsExactly("revokeCredential answers 204 but there is content");
    assertThat(examples.left()).contains("enroll answers 201 application/json issued");
  }

  private static ObjectNode content(ObjectNode approval) {
    return (ObjectNode) approval.path("content");
  }

  /** Of several examples the one counts that the answer is most like. */
  @Test
  void judge_severalExamples_onlyTheOneThatIsMeant() {
    Examples examples = examples();
    ObjectNode order = object("/components/examples/PendingOrder/value").deepCopy();
    order.remove(List.of("position", "etaSeconds"));

    assertThat(examples.judge(examples.call("getOrder"), answer(200, order))).isEmpty();

    assertThat(examples.left())
        .contains(
            "getOrder answers 200 application/json issued",
            "getOrder answers 200 application/json failed")
        .doesNotContain("getOrder answers 200 application/json pending");
  }

  @Test
  void call_onlyWhatNoDocumentCanKnow_isReplaced() {
    ExampleCall call = examples().call("renew").live("serial", "0a").choosing("Prefer", "async");

    assertThat(call.request().target()).isEqualTo("/v1/certificates/0a/renewal");
    assertThat(call.request().headers()).containsSequence("Prefer", "respond-async");
    assertThat(examples().call("findCertificates").request().target())
        .startsWith("/v1/certificates?subject=www*&san=www.example.com&");
    assertThat(examples().call("getOcspResponse").request().target()).doesNotContain("+", "=");
    assertThatThrownBy(() -> call.live("csr", "x")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> call.live("sha256", "x").request())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> call.saying("nothing").request())
        .isInstanceOf(IllegalStateException.class);
  }
}
