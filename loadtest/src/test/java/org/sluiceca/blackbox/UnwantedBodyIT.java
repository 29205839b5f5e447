package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Bodies of requests that are refused by their heads, longer than anybody would read. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class UnwantedBodyIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Of a body that is too long to be read to its end the answer still arrives. */
  @Test
  void plainPort_bodyThatNobodyWants_404() {
    for (int length : new int[] {10, 100_000}) {
      RawHttp.send(
              TRIAL.trial().plain(0),
              null,
              "POST /v1/certificates HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                  .formatted(length, "a".repeat(length)),
              PATIENCE)
          .isProblem(404, "/not-found");
    }
  }

  /** Nothing here takes a form, and none is read before the client is known. */
  @Test
  void form_anyMethod_neverRead() {
    for (String method : List.of("PUT", "PATCH", "DELETE")) {
      for (String body : List.of("a=%zz", "a=" + "b".repeat(100_000))) {
        RawHttp.Reply reply =
            RawHttp.send(
                TRIAL.trial().https(0),
                TRIAL.trial().data().resolve("root.pem"),
                "%s /v1/profiles HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                    .formatted(method, "application/x-www-form-urlencoded", body.length(), body),
                PATIENCE);
        // No route has PATCH: that is answered before a credential is looked for who sends it.
        assertThat(reply.status()).as(method).isEqualTo(method.equals("PATCH") ? 405 : 401);
      }
    }
  }
}
