package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoints;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryCheckpointStore;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.IssuerName;

/** Which node takes checkpoints. */
class CheckpointLoopTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();

  private @Nullable ChainHead own;

  @TempDir
  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path directory;

  private CheckpointLoop loop(boolean isKeyHere) throws IOException {
    Checkpoints checkpoints =
        new Checkpoints(
            new Checkpoints.Steps(
                () -> Optional.ofNullable(own),
                store,
                new FakeSigner(new IssuerName("audit"), KEY, SoftwareKey.named("ec-p256")),
                new PostSignCheck(name -> Optional.of(KEY.publicKey()), new BouncyCastleVerifier()),
                () -> Fixtures.NOW));
    return new CheckpointLoop(
        checkpoints, new CheckpointFiles(directory), Duration.ofMinutes(1), () -> isKeyHere);
  }

  /** Whether it can sign or not: the node that idles must notice. */
  @Test
  void close_newestRowRemovedWhileTheNodeIdled_shown() throws Exception {
    own = ChainHead.start("a").next(new AuditEvent(Fixtures.NOW, "test", "a", "{}")).head();
    for (boolean isKeyHere : new boolean[] {false, true}) {
      CheckpointLoop loop = loop(isKeyHere);

      loop.close();

      assertThat(loop.missing()).isOne();
      assertThat(loop.failures()).isZero();
    }
  }

  /** It would be recorded, and stand there without a signature. */
  @Test
  void close_keyNotHere_nothingRecordedAndNoFailure() throws Exception {
    store.append(ChainHead.start("a").next(new AuditEvent(Fixtures.NOW, "test", "a", "{}")));
    CheckpointLoop without = loop(false);

    without.close();

    assertThat(store.latest()).isEmpty();
    assertThat(without.failures()).isZero();
    CheckpointLoop with = loop(true);
    with.close();
    assertThat(with.taken()).isOne();
    assertThat(store.signature(1)).isPresent();
  }
}
