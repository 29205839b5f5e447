package org.sluiceca.client.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.http.LoopbackService;

/** A revocation is reported as done only if it is. */
class RevokeCommandTest {
  private static final String APPROVAL = "0d5c7a0e-6f0f-4a6e-9f0e-2f6f7a1f0b11";

  @TempDir private Path folder;
  private LoopbackService server;
  private CommandRun run;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void revoke_done_namesTheOtherCertificatesOfTheKey() {
    server.answers(
        "200 - {\"serial\":\"2a\",\"status\":\"revoked\",\"otherCertificates\":[\"2b\"]}");

    assertThat(revoke()).isZero();

    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("revoked 2a (keyCompromise)", "sluice revoke 2b --reason keyCompromise");
  }

  @Test
  void revoke_waitsForASecondPerson_saysThatNothingIsDone() {
    server.answers("202 Location=/v1/approvals/" + APPROVAL + " {\"id\":\"" + APPROVAL + "\"}");

    assertThat(revoke("--quiet")).isZero();

    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("nothing is done yet", "sluice approval show " + APPROVAL)
        .doesNotContain("revoked 2a");
  }

  @Test
  void revoke_acceptedWithoutAPlace_fails() {
    server.answers("202 - {}");

    assertThat(revoke()).isEqualTo(1);

    assertThat(run.err()).contains("does not say what it waits for").doesNotContain("revoked 2a");
  }

  private int revoke(String... more) {
    String[] words = new String[4 + more.length];
    System.arraycopy(new String[] {"revoke", "2a", "--reason", "keyCompromise"}, 0, words, 0, 4);
    System.arraycopy(more, 0, words, 4, more.length);
    return run.call(words);
  }
}
