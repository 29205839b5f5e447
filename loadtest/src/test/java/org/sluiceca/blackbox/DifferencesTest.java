package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.blackbox.Differences.Difference;

/** The judge of {@link AcmePebbleIT}, with answers that no server gave. */
class DifferencesTest {

  private static final String TABLE =
      """
      | Request | Part | Sluice | Pebble | Why | RFC |
      |---|---|---|---|---|---|
      """;

  private static Exchange order(String json, String... headers) {
    return exchange("order", 201, "application/json", json, headers);
  }

  private static Exchange exchange(
      String request, int status, String type, String body, String... headers) {
    Map<String, String> all = new HashMap<>(Map.of("Content-Type", type));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return Exchange.of(request, Answer.of(status, all, body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void between_valuesOfOneClassAndOtherOrder_noDifference() {
    Exchange one =
        order(
            """
            {"status": "pending", "expires": "2026-01-01T00:00:00Z",
             "identifiers": [{"type": "dns", "value": "a"}, {"type": "dns", "value": "b"}],
             "authorizations": ["https://a/1", "https://a/2"]}
            """,
            "Replay-Nonce",
            "abc",
            "Retry-After",
            "3");
    Exchange other =
        order(
            """
            {"authorizations": ["https://b/x"], "expires": "2027-01-01T00:00:00Z",
             "identifiers": [{"type": "dns", "value": "b"}, {"type": "dns", "value": "a"}],
             "status": "pending"}
            """,
            "Replay-Nonce",
            "xyz",
            "Retry-After",
            "Wed, 21 Oct 2026 07:28:00 GMT");

    assertThat(Differences.between(List.of(one), List.of(other))).isEmpty();
  }

  @Test
  void between_eachPart_isFound() {
    Exchange one = order("{\"status\": \"ready\", \"list\": []}", "Cache-Control", "no-store");
    Exchange other = order("{\"status\": \"pending\", \"list\": [1], \"more\": true}");

    assertThat(Differences.between(List.of(one), List.of(other)))
        .containsExactly(
            new Difference("order", "Cache-Control", "no-store", "-"),
            new Difference("order", "list", "none", "number"),
            new Difference("order", "more", "-", "true"),
            new Difference("order", "status", "ready", "pending"));
  }

  @Test
  void between_objectOfOneSide_withoutItsMembers() {
    Exchange one =
        order("{\"key\": {\"a\": 1}, \"list\": [{\"type\": \"x\", \"url\": \"https://a\"}]}");
    Exchange other = order("{\"list\": []}");

    assertThat(Differences.between(List.of(one), List.of(other)))
        .containsExactly(
            new Difference("order", "key", "object", "-"),
            new Difference("order", "list", "x", "none"));
  }

  @Test
  void between_problemAndSuccess_theAnswerAlone() {
    Exchange one = order("{\"status\": \"ready\"}");
    Exchange other =
        exchange(
            "order",
            403,
            "application/problem+json",
            "{\"type\": \"urn:ietf:params:acme:error:unauthorized\", \"detail\": \"no\"}");

    assertThat(Differences.between(List.of(one), List.of(other)))
        .containsExactly(
            new Difference("order", "answer", "201 application/json", "403 unauthorized"));
  }

  @Test
  void between_requestOfOneSideAlone_fails() {
    assertThatThrownBy(() -> Differences.between(List.of(order("{}")), List.of()))
        .hasMessageContaining("order was not sent to Pebble");
    assertThatThrownBy(() -> Differences.between(List.of(), List.of(order("{}"))))
        .hasMessageContaining("[order] were not sent to Sluice");
  }

  @Test
  void faults_differenceWithoutRow_andRowOrRequestWithoutDifference() {
    List<Difference> differences =
        List.of(
            new Difference("order: a", "status", "ready", "pending"),
            new Difference("order: b", "status", "ready", "pending"));

    assertThat(
            Differences.faults(
                differences, rows("| order: * | `status` | ready | pending | x | 7 |")))
        .isEmpty();
    assertThat(
            Differences.faults(
                differences, rows("| order: a | `status` | ready | pending | x | 7 |")))
        .containsExactly("not explained: | order: b | status | ready | pending |  |  |");
    assertThat(
            Differences.faults(
                differences, rows("| order: *; nonce | `status` | ready | pending | x | 7 |")))
        .containsExactly("explains nothing: | nonce | status | ready | pending |");
    assertThat(
            Differences.faults(
                differences,
                rows(
                    "| order: * | `status` | ready | pending | x | 7 |\n"
                        + "| order: a | `status` | valid | pending | x | 7 |")))
        .containsExactly("explains nothing: | order: a | status | valid | pending |");
  }

  private static List<Differences.Explanation> rows(String rows) {
    return Differences.explained(TABLE + rows + "\n");
  }

  @Test
  void explained_rowWithoutReason_fails() {
    assertThatThrownBy(() -> rows("| order | status | a | b |  | 7 |"))
        .hasMessageContaining("none of them empty");
    assertThatThrownBy(() -> Differences.explained("# Nothing\n"))
        .hasMessageContaining("no table begins");
  }
}
