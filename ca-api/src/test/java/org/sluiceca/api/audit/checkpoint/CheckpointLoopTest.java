package org.sluiceca.api.audit.checkpoint;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
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
import org.sluiceca.core.x509.OctetString;

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

  /** Each look reads on behind it. */
  @Test
  void close_notGenuine_oneWarningThatSaysWhatToDo() throws Exception {
    OctetString garbage = OctetString.copyOf(new byte[] {'x'});
    store.forge(7, garbage, garbage);
    store.forge(8, garbage, garbage);
    Logger log = (Logger) LoggerFactory.getLogger(CheckpointLoop.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try {
      CheckpointLoop loop = loop(true);
      loop.close();
      loop.close();
      assertThat(loop.failures()).isZero();
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .startsWith("audit checkpoint 7 in the database (2 such) is not what the audit key signed")
        .contains("./sluice audit verify");
  }
}
