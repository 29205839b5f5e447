package org.sluiceca.api.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;

/** What a client may write in place of identifiers. */
class OrderIdentifiersTest {

  private static OrderIdentifiers read(String... elements) throws JsonException {
    byte[] octets =
        ("{\"identifiers\":[" + String.join(",", elements) + "]}").getBytes(StandardCharsets.UTF_8);
    return OrderIdentifiers.read(JsonObject.read(octets, 64 * 1024));
  }

  private static String dns(String value) {
    return "{\"type\":\"dns\",\"value\":\"" + value + "\"}";
  }

  private static AcmeProblem refused(OrderIdentifiers identifiers) {
    AcmeProblem problem =
        catchThrowableOfType(
            AcmeProblem.class, () -> identifiers.requireNone(List.of(), "nothing"));
    assertThat(problem).isNotNull();
    return problem;
  }

  @Test
  void read_wellFormed_eachOnceInItsOrder() throws JsonException {
    OrderIdentifiers read =
        read(
            dns("b.corp.example"),
            dns("a.corp.example"),
            dns("B.corp.example"),
            "{\"type\":\"ip\",\"value\":\"192.0.2.1\"}");

    read.requireNone(List.of(), "nothing");
    assertThat(read.identifiers())
        .extracting(Identifier::value)
        .containsExactly("b.corp.example", "a.corp.example", "192.0.2.1");
  }

  @Test
  void read_severalBad_aSubproblemForEach() throws JsonException {
    OrderIdentifiers read =
        read(
            dns("good.corp.example"),
            dns("m\u00fcnchen.example"),
            "{\"type\":\"ip\",\"value\":\"192.0.2.256\"}",
            "{\"type\":\"email\",\"value\":\"a@corp.example\"}",
            "{\"type\":\"dns\"}",
            "{\"type\":\"dns\",\"value\":7}");

    AcmeProblem problem = refused(read);

    assertThat(problem.type()).as("of several kinds").isEqualTo(AcmeError.MALFORMED);
    assertThat(problem.subproblems())
        .extracting(sub -> sub.type().text(), sub -> sub.subject().map(s -> s.value()).orElse("-"))
        .containsExactly(
            tuple("rejectedIdentifier", "m\u00fcnchen.example"),
            tuple("rejectedIdentifier", "192.0.2.256"),
            tuple("unsupportedIdentifier", "a@corp.example"),
            tuple("malformed", "-"),
            tuple("malformed", "-"));
    assertThat(problem.subproblems().get(3).detail()).contains("identifiers[4].value is missing");
    assertThat(AcmeAnswer.problem(problem).toString())
        .contains("subproblems", "identifiers[5].value must be a text");
  }

  @Test
  void read_badOfOneKind_thatKind() throws JsonException {
    assertThat(refused(read(dns("*.*.corp.example"), dns("\u212a.example"))).type())
        .isEqualTo(AcmeError.REJECTED_IDENTIFIER);
  }

  /** Each is repeated in the answer: a hundred at most, and the beginning of each. */
  @Test
  void read_manyAndLong_theAnswerIsBounded() throws JsonException {
    String[] long100 =
        IntStream.range(0, 100)
            .mapToObj(i -> dns(i + "\ud83d\ude80".repeat(100) + "x".repeat(170)))
            .toArray(String[]::new);

    AcmeProblem problem = refused(read(long100));

    assertThat(problem.subproblems()).hasSize(100);
    assertThat(problem.subproblems())
        .allSatisfy(
            sub ->
                assertThat(sub.subject().orElseThrow().value().codePoints().count())
                    .isEqualTo(255));
    String[] more = IntStream.range(0, 101).mapToObj(i -> dns("a")).toArray(String[]::new);
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> read(more));
  }

  @Test
  void read_noneOrNoObjects_malformed() {
    assertThatExceptionOfType(AcmeProblem.class).isThrownBy(OrderIdentifiersTest::read);
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> read("7"));
  }
}
