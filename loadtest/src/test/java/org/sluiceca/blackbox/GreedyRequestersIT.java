package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** One requester takes all it can get; the others are served all the same (docs/adr/0062). */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class GreedyRequestersIT {

  private static final int GREEDY_CONNECTIONS = 60;
  private static final int HONEST_SEARCHES = 15;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static String token(String requester) {
    return TRIAL
        .trial()
        .api(0, "admin")
        .postJson(
            "/v1/credentials",
            Map.of(
                "requester",
                requester,
                "roles",
                List.of("REQUESTER"),
                "profiles",
                List.of("tls-server")))
        .is(201)
        .json()
        .path("token")
        .asString();
  }

  private static Api requester(String name) {
    return TRIAL.trial().api(0, "admin").anonymous().with(Api.bearer(token(name)));
  }

  @Test
  void searches_beside60ConnectionsOfOneRequester_areAllAnswered() throws InterruptedException {
    Api greedy = requester("greedy-searcher");
    Api honest = requester("honest-searcher");
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();

    List<Answer> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(GREEDY_CONNECTIONS)) {
      IntStream.range(0, GREEDY_CONNECTIONS)
          .forEach(
              i ->
                  threads.execute(
                      () -> {
                        while (!isOver.get()) {
                          greedy.get(Api.CERTIFICATES + "?subject=greedy*");
                          asked.incrementAndGet();
                        }
                      }));
      try {
        Poll.until(
            "the greedy requester is at work", LIMIT, () -> asked.get() > GREEDY_CONNECTIONS);
        for (int i = 0; i < HONEST_SEARCHES; i++) {
          answers.add(honest.get(Api.CERTIFICATES + "?subject=honest*"));
        }
      } finally {
        isOver.set(true);
      }
    }

    Evidence.note(HONEST_SEARCHES + " searches next to " + asked + " of one requester");
    assertThat(answers).allSatisfy(answer -> answer.is(200));
  }

  /** Two requesters with two batches each held all places of a node. */
  @Test
  void batches_ofTwoRequestersThatTakeAllTheyCan_leaveOneToAThird() throws IOException {
    List<Socket> held = new ArrayList<>();
    try {
      for (String requester : List.of("greedy-one", "greedy-two")) {
        String token = token(requester);
        for (int i = 0; i < 2; i++) {
          held.add(openBatch(token));
        }
      }
      Api third = requester("third");

      Poll.until(
          "a third requester's batch is taken",
          LIMIT,
          () ->
              third
                      .post(
                          "/v1/certificates:batch",
                          "application/x-ndjson",
                          "{}\n".getBytes(StandardCharsets.UTF_8))
                      .status()
                  == 200);
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  /** A batch whose first line has come, and whose next does not. */
  private static Socket openBatch(String token) throws IOException {
    Socket socket = RawHttp.open(TRIAL.trial().https(0), TRIAL.trial().data().resolve("root.pem"));
    OutputStream out = socket.getOutputStream();
    out.write(
        ("POST /v1/certificates:batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + token
                + "\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n{}\n")
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }
}
