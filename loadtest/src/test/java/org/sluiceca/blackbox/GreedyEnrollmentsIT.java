package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * One requester fills the node with enrollments; another one still gets its certificates at once.
 */
@ResourceLock(TrialExtension.ONE_NODE)
class GreedyEnrollmentsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final int GREEDY_CONNECTIONS = 100;
  private static final int HONEST = 15;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Api honest() {
    Map<String, Object> credential =
        Map.of(
            "requester",
            "honest-enroller",
            "roles",
            List.of("REQUESTER"),
            "profiles",
            List.of("tls-server"));
    Api admin = TRIAL.trial().api(0, "admin");
    String token =
        admin.postJson("/v1/credentials", credential).is(201).json().path("token").asString();
    return admin.anonymous().with(Api.bearer(token));
  }

  @Test
  void enrollments_nextTo100ConnectionsOfOneRequester_areAllIssuedAtOnce() throws Exception {
    byte[] csr =
        Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "greedy.example.com").der();
    Api greedy = TRIAL.trial().enroller();
    Api honest = honest();
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();

    List<Integer> answers = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < GREEDY_CONNECTIONS; i++) {
        threads.execute(
            () -> {
              while (!isOver.get()) {
                greedy.enroll("tls-server", csr);
                asked.incrementAndGet();
              }
            });
      }
      try {
        Poll.until("the greedy one is at work", LIMIT, () -> asked.get() > GREEDY_CONNECTIONS);
        for (int i = 0; i < HONEST; i++) {
          Answer answer = honest.enroll("tls-server", csr);
          answers.add(answer.status());
          if (answer.status() != 201) {
            refusals.add(answer.text());
          }
        }
      } finally {
        isOver.set(true);
      }
    }

    Evidence.note(HONEST + " enrollments next to " + asked + " of one requester: " + answers);
    assertThat(answers).as("%s", refusals).containsOnly(201);
  }
}
