package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** A module that crashes, or whose process is killed, while the signer is under load. */
@Timeout(180)
class ModuleCrashTest {
  private static final int CLIENTS = 16;
  private static final AtomicInteger TOKENS = new AtomicInteger();

  private final RecordingObserver observer = new RecordingObserver();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private SoftToken token;

  @SuppressWarnings("NullAway.Init")
  private KeyRef key;

  @BeforeEach
  void makeKey() {
    token = SoftHsm.newToken("crash-" + TOKENS.incrementAndGet());
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      key = ceremony.generateIfAbsent(CkaId.parse("01"), "crash", KeyAlgorithm.EC_P256);
    }
  }

  @Test
  void sign_processKilledUnderLoad_honestFailuresAndSignsAgain() throws Exception {
    try (HsmSigner signer = open(SoftHsm.library())) {
      Load load = underLoad(signer, () -> Processes.kill(onlyModule()));

      load.check();
      assertThat(starts()).isEqualTo(2);
      System.out.println("module killed by SIGKILL: " + load);
    }
  }

  @Test
  void sign_segmentationFaultInCSign_honestFailuresAndSignsAgain() throws Exception {
    FaultModule module = FaultModule.build(folder);
    try (HsmSigner signer = open(module.library())) {
      Load load = underLoad(signer, () -> module.misbehave("crash"));

      load.check();
      assertThat(starts()).isEqualTo(2);
      System.out.println("module crashed by SIGSEGV: " + load);
    }
    assertThat(observer.notes).anyMatch(line -> line.contains("SIGSEGV"));
    assertThat(observer.notes).anyMatch(line -> line.contains("fault_pkcs11.so"));
  }

  /** They share the process: the first to find it gone replaces it for both. */
  @Test
  void sign_processKilledUnderTwoGroupsOfEngines_replacedOnceForBoth() {
    Window.Steered ec = window(new SignatureClass(Mechanism.ECDSA_SHA256, 256));
    Window.Steered other = window(new SignatureClass(Mechanism.ECDSA_SHA384, 256));
    try (HsmSigner signer =
        HsmSigner.open(
            HsmSettings.of(SoftHsm.library(), token.label(), token.pin())
                .withIsolated(true)
                .withWindows(8, List.of(ec, other)),
            List.of(key),
            observer)) {
      Processes.kill(onlyModule());

      for (Mechanism mechanism : List.of(Mechanism.ECDSA_SHA256, Mechanism.ECDSA_SHA384)) {
        Await.until("signs again by " + mechanism, () -> signs(signer, mechanism));
      }
      // A group signs with its first session again while it opens the others.
      Await.until("ready again", () -> signer.stats().state() == HsmState.READY);
    }
    assertThat(starts()).isEqualTo(2);
  }

  private static Window.Steered window(SignatureClass signatureClass) {
    return new Window.Steered(new EngineGroup(2, Map.of(signatureClass, 0.001)), 32, 1);
  }

  @Test
  // The restarts are 1.75 s apart together, each with a JVM.
  @Tag("slow")
  void sign_crashesAgainAndAgain_restartsArePaced() throws Exception {
    FaultModule module = FaultModule.build(folder);
    try (HsmSigner signer = open(module.library())) {
      long start = System.nanoTime();
      for (int crash = 0; crash < 4; crash++) {
        module.misbehave("crash");
        Await.until("crashed", () -> !signs(signer) && !module.isPending("crash"));
        Await.until("signs again", () -> signs(signer));
      }

      // The first restart is at once, the following are 0.25, 0.5 and 1 s apart at least.
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThan(Duration.ofMillis(1750));
    }
    assertThat(starts()).isEqualTo(5);
  }

  /** What makes the tests above worth something: without isolation the same crash ends the node. */
  @Test
  void sign_segmentationFaultInTheNodesOwnProcess_nodeEnds() throws Exception {
    FaultModule module = FaultModule.build(folder);
    Process node = new ProcessBuilder(SigningNode.command(module, token, false)).start();
    try (BufferedReader out = node.inputReader(StandardCharsets.UTF_8)) {
      awaitSignature(out);
      module.misbehave("crash");

      assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(node.exitValue()).isNotZero();
    } finally {
      Process _ = node.destroyForcibly();
    }
  }

  private static void awaitSignature(BufferedReader out) throws IOException {
    String line = out.readLine();
    while (line != null && !line.startsWith("signed ")) {
      line = out.readLine();
    }
    assertThat(line).isNotNull();
  }

  private HsmSigner open(Path module) {
    return HsmSigner.open(
        HsmSettings.of(module, token.label(), token.pin())
            .withIsolated(true)
            .withCallTimeout(Duration.ofMinutes(1)),
        List.of(key),
        observer);
  }

  /** How often a process of the module was started: a recovery takes one. */
  private long starts() {
    return observer.notes.stream().filter(line -> line.contains("started")).count();
  }

  private static long onlyModule() {
    List<Long> modules = Processes.modules(ProcessHandle.current());
    assertThat(modules).hasSize(1);
    return modules.getFirst();
  }

  private boolean signs(HsmSigner signer) {
    return signs(signer, Mechanism.ECDSA_SHA256);
  }

  private boolean signs(HsmSigner signer, Mechanism mechanism) {
    try {
      return sign(signer, mechanism).length == 64;
    } catch (HsmException e) {
      return false;
    }
  }

  private byte[] sign(HsmSigner signer, Mechanism mechanism) {
    return signer.sign(
        new SignRequest(
            key, mechanism, new byte[] {1}, SignSchedule.by(System.nanoTime() + 60_000_000_000L)));
  }

  /** What clients saw of a fault. */
  private static final class Load {
    final AtomicLong signed = new AtomicLong();
    final AtomicLong signedAfter = new AtomicLong();
    final AtomicLong maybeSigned = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong dishonest = new AtomicLong();
    final AtomicLong firstAfterNanos = new AtomicLong();
    volatile boolean isFaulty;
    volatile boolean hasFailed;
    volatile long faultNanos;

    void check() {
      assertThat(dishonest).hasValue(0);
      assertThat(signed.get()).isPositive();
      assertThat(signedAfter.get()).isPositive();
      assertThat(maybeSigned.get() + refused.get()).isPositive();
    }

    Duration recovery() {
      return Duration.ofNanos(firstAfterNanos.get() - faultNanos);
    }

    @Override
    public String toString() {
      return "%d signed before, %d after, %d maybe signed, %d refused; signs again after %d ms"
          .formatted(
              signed.get(),
              signedAfter.get(),
              maybeSigned.get(),
              refused.get(),
              recovery().toMillis());
    }
  }

  private Load underLoad(HsmSigner signer, Runnable fault) throws Exception {
    Load load = new Load();
    AtomicBoolean stop = new AtomicBoolean();
    List<Future<?>> clients = new ArrayList<>();
    try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(
            requests.submit(
                () -> {
                  while (!stop.get()) {
                    request(signer, load);
                  }
                }));
      }
      try {
        Await.until("load", () -> load.signed.get() > 500);
        load.faultNanos = System.nanoTime();
        load.isFaulty = true;
        fault.run();
        Await.until("failures", () -> load.hasFailed);
        Await.until("signs again", () -> load.signedAfter.get() > 500);
      } finally {
        stop.set(true);
      }
    }
    for (Future<?> client : clients) {
      var _ = client.get();
    }
    return load;
  }

  private void request(HsmSigner signer, Load load) {
    try {
      byte[] signature = sign(signer, Mechanism.ECDSA_SHA256);
      if (signature.length != 64) {
        load.dishonest.incrementAndGet();
      }
      if (!load.hasFailed) {
        load.signed.incrementAndGet();
      } else {
        boolean _ = load.firstAfterNanos.compareAndSet(0, System.nanoTime());
        load.signedAfter.incrementAndGet();
      }
    } catch (HsmException.TokenLost e) {
      if (load.isFaulty) {
        load.hasFailed = true;
        (e.mayHaveExecuted() ? load.maybeSigned : load.refused).incrementAndGet();
      } else {
        load.dishonest.incrementAndGet();
      }
      // Refusals are instant: without a pause they would take the processor from the recovery.
      LockSupport.parkNanos(1_000_000);
    } catch (HsmException e) {
      load.dishonest.incrementAndGet();
    }
  }
}
