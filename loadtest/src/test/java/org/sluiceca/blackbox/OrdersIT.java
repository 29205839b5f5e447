package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Orders that no client waits for, sent while the token hangs: all are promised, wait in the
 * backlog and are issued by whichever node lives when the token is back.
 */
class OrdersIT {

  private static final int NODES = 2;
  private static final int ORDERS = 1_200;

  /** The bulk lanes of two nodes hold 256 at most, and what a hung call leaves is recovery's. */
  private static final int WAITING = ORDERS / 4;

  private static final int ASKED = 150;
  private static final Duration SOON = Duration.ofMinutes(2);

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(NODES, token, token.hangingModule());
          });

  private final SoftToken token = new SoftToken(TRIAL.trial().folder().resolve("token"));
  private final byte[] csr =
      Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "order.example.com").pemBytes();

  @Test
  void tokenHangs_everyOrderIsPromised_andIssuedOnceByTheNodeThatLives() {
    Api victim = TRIAL.trial().api(0, "enroll");
    Api survivor = TRIAL.trial().api(1, "enroll");
    victim.enroll("tls-server", csr).is(201);
    token.hang();

    List<JsonNode> results = send(victim, ORDERS);

    assertThat(results).hasSize(ORDERS);
    assertThat(results)
        .allSatisfy(r -> assertThat(r.path("status").asInt()).as(r.toString()).isEqualTo(202));
    List<String> orders = results.stream().map(r -> r.path("serial").asString()).toList();
    assertThat(orders).doesNotHaveDuplicates();
    Poll.until("the backlog is told", SOON, () -> backlog(survivor) > WAITING);
    long waiting = backlog(survivor);
    assertToldWhereItStands(survivor, orders);
    String cancelled = cancelOneThatWaits(survivor, orders);

    TRIAL.trial().kill(0);
    token.release();

    Poll.until("every intent has an outcome", SOON, () -> pending() == 0);
    Poll.until("the backlog is empty", SOON, () -> backlog(survivor) == 0);
    Evidence.note(
        "orders: %d sent while the token hung, %d waited in the backlog; all issued by the other node"
            .formatted(ORDERS, waiting));
    assertThat(LedgerRows.outcomes(TRIAL.trial(), "abandoned")).isEqualTo(1);
    for (String order : orders) {
      assertThat(survivor.get("/v1/orders/" + order).is(200).json().path("status").asString())
          .isEqualTo(order.equals(cancelled) ? "failed" : "issued");
    }
    // The same keys again: the same certificates, and nothing new.
    long intents = LedgerRows.intents(TRIAL.trial());
    assertThat(send(survivor, 5))
        .allSatisfy(
            r -> {
              assertThat(r.path("status").asInt()).as(r.toString()).isEqualTo(201);
              assertThat(orders).contains(r.path("serial").asString());
            });
    assertThat(LedgerRows.intents(TRIAL.trial())).isEqualTo(intents);
  }

  private static long pending() {
    return LedgerRows.pendingIntents(TRIAL.trial());
  }

  private static void assertToldWhereItStands(Api node, List<String> orders) {
    long told =
        orders.reversed().stream()
            .limit(ASKED)
            .filter(
                order -> {
                  Answer answer = node.get("/v1/orders/" + order).is(200);
                  assertThat(answer.json().path("status").asString()).isEqualTo("pending");
                  return answer.json().has("position");
                })
            .count();
    assertThat(told).isGreaterThan(ASKED / 2);
  }

  /** It waited, so no token can have signed it: its serial number stays off the CRL. */
  private static String cancelOneThatWaits(Api node, List<String> orders) {
    List<String> waiting = LedgerRows.texts(TRIAL.trial(), asOperatorsAreTold());
    assertThat(waiting).isSubsetOf(orders);
    String order = orders.reversed().stream().filter(waiting::contains).findFirst().orElseThrow();
    assertThat(node.delete("/v1/orders/" + order).is(200).json().path("status").asString())
        .isEqualTo("failed");
    assertThat(LedgerRows.maybeSigned(TRIAL.trial())).isZero();
    return order;
  }

  /** The statement that finds what waits under a version, as docs/OPERATIONS.md has it. */
  private static String asOperatorsAreTold() {
    String documented =
        Checkout.text("docs/OPERATIONS.md")
            .lines()
            .filter(line -> line.startsWith("SELECT encode(b.serial"))
            .findFirst()
            .orElseThrow();
    return documented.replace("profile_version = 3", "profile_version = 1");
  }

  private static long backlog(Api node) {
    return node.get("/v1/capacity").is(200).json().path("backlog").path("orders").asLong();
  }

  private List<JsonNode> send(Api node, int number) {
    String pem = new String(csr, StandardCharsets.US_ASCII);
    JsonMapper json = JsonMapper.shared();
    String lines =
        IntStream.range(0, number)
            .mapToObj(
                i ->
                    json.writeValueAsString(
                            json.createObjectNode()
                                .put("id", "order-" + i)
                                .put("profile", "tls-server")
                                .put("csr", pem)
                                .put("idempotencyKey", "order-" + i))
                        + "\n")
            .collect(Collectors.joining());
    Answer answer =
        node.with("Prefer", "respond-async")
            .post(
                "/v1/certificates:batch",
                "application/x-ndjson",
                lines.getBytes(StandardCharsets.UTF_8))
            .is(200);
    return answer.text().lines().map(json::readTree).toList();
  }
}
