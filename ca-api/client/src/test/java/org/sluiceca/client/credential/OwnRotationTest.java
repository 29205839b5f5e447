package org.sluiceca.client.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.http.LoopbackService;

/** The token's file holds a token that counts, whatever happens to the rotation. */
class OwnRotationTest {
  private static final String SECRET = "this-is-what-a-token-of-43-characters-is-AA";
  private static final String MADE =
      "201 - {\"id\":\"0d5c7a0e-6f0f-4a6e-9f0e-2f6f7a1f0b11\","
          + "\"expiresAt\":\"2027-02-20T12:00:00Z\",\"token\":\""
          + SECRET
          + "\"}";
  private static final String ASKED = "POST /v1/credentials/self/rotation Bearer admin null";
  private static final String TRIED = "GET /v1/capacity Bearer " + SECRET + " null";

  @TempDir private Path folder;
  private LoopbackService server;
  private CommandRun run;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
    file = folder.resolve("admin.token");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int rotate(String... more) {
    return run.call(
        Stream.concat(Stream.of("credential", "rotate"), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void rotate_own_fileIsReplacedBeforeTheNewTokenIsUsed() throws Exception {
    server.answers(MADE);
    server.answers("200 - {}");

    assertThat(rotate()).isZero();

    assertThat(server.seen()).containsExactly(ASKED, TRIED);
    assertThat(server.bodies().getFirst()).isEqualTo("{}");
    assertThat(file).hasContent(SECRET);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(run.err()).contains("valid until 2027-02-20T12:00:00Z", "the old one has ended");
    assertThat(run.printed()).doesNotContain(SECRET);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(p -> p.getFileName().toString()).filter(n -> n.startsWith(".")))
          .containsExactly(".admin.token.lock");
    }
  }

  @Test
  void rotate_symbolicLink_staysOne() throws Exception {
    Path real = folder.resolve("real.token");
    Files.move(file, real);
    Files.createSymbolicLink(file, real);
    server.answers(MADE);
    server.answers("200 - {}");

    assertThat(rotate()).isZero();

    assertThat(file).isSymbolicLink();
    assertThat(real).hasContent(SECRET);
  }

  @Test
  void rotate_refused_fileIsAsItWas() {
    server.answers("403 - {\"type\":\"/problems/forbidden\",\"title\":\"May not\"}");

    assertThat(rotate()).isEqualTo(1);

    assertThat(run.err()).contains("403 May not", "is as it was");
    assertThat(file).hasContent("admin");
  }

  /** The service ends the token of the lost answer when it is asked again. */
  @Test
  void rotate_busyFirst_isSentAgain() {
    server.answers("503 Retry-After=1 {}");
    server.answers(MADE);
    server.answers("200 - {}");

    assertThat(rotate()).isZero();

    assertThat(server.seen()).containsExactly(ASKED, ASKED, TRIED);
    assertThat(file).hasContent(SECRET);
  }

  @Test
  void rotate_answerWithoutAToken_fileIsAsItWas() {
    server.answers("201 - {}");
    server.answers("201 - {\"token\":\"\\u001b[2J secret\"}");
    server.answers("201 - {\"token\":\"admin\"}");

    for (int i = 0; i < 3; i++) {
      assertThat(rotate()).isEqualTo(1);
    }

    assertThat(run.err()).contains("holds no new token");
    assertThat(run.printed()).doesNotContain("\u001b", "secret");
    assertThat(file).hasContent("admin");
  }

  /** A late request of another try has ended it: the old token still counts. */
  @Test
  void rotate_newTokenNotAccepted_oldOneIsPutBack() {
    server.answers(MADE);
    server.answers("401 - {\"title\":\"No valid credential\"}");

    assertThat(rotate()).isEqualTo(1);

    assertThat(file).hasContent("admin");
    assertThat(run.err()).contains("the old one is in", "run this again");
  }

  @Test
  void rotate_newTokenCannotBeTried_itStaysAndTheOldOneCountsUntilItIsUsed() {
    server.answers(MADE);
    server.answers("500 - {\"title\":\"The service failed\"}");

    assertThat(rotate()).isEqualTo(1);

    assertThat(file).hasContent(SECRET);
    assertThat(run.err()).contains("was not tried", "ends when the new one is first used");
  }

  @Test
  void rotate_whileAnotherProcessHasTheFile_nothingIsSent() throws Exception {
    Path lockFile = folder.resolve(".admin.token.lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThat(rotate()).isEqualTo(1);
    }

    assertThat(run.err()).contains("another process replaces the token");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void rotate_optionsOfTheOther_usage() {
    assertThat(rotate("--out", folder.resolve("x").toString())).isEqualTo(2);
    assertThat(rotate("--days", "9")).isEqualTo(2);
    assertThat(rotate("3f1f6f5e-58b4-4c0a-9b52-0f2f1d5c7a10")).isEqualTo(2);
    assertThat(rotate("self", "--out", folder.resolve("x").toString())).isEqualTo(2);

    assertThat(server.seen()).isEmpty();
  }
}
