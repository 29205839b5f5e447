package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.revocation.crl.StatusShareSimulation.Fault;
import org.sluiceca.api.revocation.crl.StatusShareSimulation.Load;
import org.sluiceca.api.revocation.crl.StatusShareSimulation.Result;
import org.sluiceca.core.crl.CrlSpacing;

/**
 * The part of a slow HSM that goes to CRLs and checkpoints. {@code -Dstatus.share=table} prints it
 * for many loads.
 */
class StatusShareTest {

  private static final long SEED = 1;

  private static final boolean IS_TABLE = "table".equals(System.getProperty("status.share"));

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(CrlLoop.class);

  @TempDir Path temporary;

  private Level level = Level.INFO;

  /** A line for each of thousands of CRLs. */
  @BeforeEach
  void quiet() {
    level = LOG.getEffectiveLevel();
    LOG.setLevel(Level.ERROR);
  }

  @AfterEach
  void loud() {
    LOG.setLevel(level);
  }

  /** From the request to the CRL of every node, for the compromise of a key. */
  private static final Duration COMPROMISE_MAX = Duration.ofSeconds(1);

  /** The same for other reasons (docs/performance/REVOCATION.md). */
  private static final Duration ORDINARY_MAX = Duration.ofSeconds(30);

  /** {@code sluice.audit.checkpoint-period}. */
  private static final Duration ROW_MAX = Duration.ofSeconds(60);

  private static final double SHARE_MAX = 0.05;

  private static final Duration RUN = Duration.ofMinutes(3);

  /** What a slow HSM is to do, and what its relying parties and auditors are promised. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 30})
  void run_fourteenASecondSaturatedAndARevocationASecond_shareAndPromisesKept(int nodes)
      throws IOException {
    assertThat(breaches(new Load(nodes, 14, 1, 1, 0, true), Fault.NONE, SEED)).isEmpty();
    assertThat(breaches(new Load(nodes, 14, 1, 1, 0, true), Fault.NONE, SEED + 1)).isEmpty();
    assertThat(breaches(new Load(nodes, 14, 10, 1, 0, true), Fault.NONE, SEED)).isEmpty();
  }

  /** As many scopes as it can sign CRLs of in the time that a revocation may wait. */
  @Test
  void run_fourteenASecondSaturatedAndTenScopes_shareAndPromisesKept() throws IOException {
    assertThat(breaches(new Load(4, 14, 10, 4, 0, true), Fault.NONE, SEED)).isEmpty();
  }

  @Test
  void run_oneOfTwentyCompromised_promisesKept() throws IOException {
    Result result = run(new Load(10, 14, 1, 1, 0.05, true), Fault.NONE, SEED, RUN);

    assertThat(result.compromise()).isPositive().isLessThan(COMPROMISE_MAX);
    assertThat(breaches(result)).isEmpty();
  }

  /** The promise counts more than the part: the alert says that it is exceeded. */
  @Test
  void run_moreCrlsThanThePartAllows_promiseKeptAndShareExceeded() throws IOException {
    Result result = run(new Load(4, 14, 30, 6, 0, true), Fault.NONE, SEED, RUN);

    assertThat(result.ordinary()).isGreaterThan(CrlSpacing.WAIT_MAX).isLessThan(ORDINARY_MAX);
    assertThat(breaches(result)).containsExactly("share");
  }

  /** As before: a second behind the last CRL. */
  @Test
  void run_fastHsm_crlsDoNotWaitForEachOther() throws IOException {
    Result result = run(new Load(4, 2000, 10, 4, 0, true), Fault.NONE, SEED, RUN);

    assertThat(result.ordinary()).isLessThan(Duration.ofMillis(1600));
    assertThat(breaches(result)).isEmpty();
  }

  @Test
  void run_idle_nothingIsSigned() throws IOException {
    assertThat(run(new Load(10, 14, 1, 0, 0, false), Fault.NONE, SEED, RUN).share()).isZero();
  }

  @Test
  void run_plantedFaults_found() throws IOException {
    Load few = new Load(4, 14, 10, 2, 0, true);
    Load many = new Load(30, 14, 1, 1, 0, true);

    assertThat(breaches(few, Fault.NO_SPACING, SEED)).containsExactly("share");
    assertThat(breaches(many, Fault.CHECKPOINT_OF_EACH_NODE, SEED)).containsExactly("share");
    assertThat(breaches(few, Fault.NODE_DOES_NOT_LOOK, SEED)).containsExactly("ordinary");
    assertThat(breaches(few, Fault.NO_CHECKPOINTS, SEED)).containsExactly("row");
  }

  private List<String> breaches(Load load, Fault fault, long seed) throws IOException {
    return breaches(run(load, fault, seed, RUN));
  }

  private static List<String> breaches(Result result) {
    List<String> breaches = new ArrayList<>();
    if (result.share() > SHARE_MAX) {
      breaches.add("share");
    }
    if (result.ordinary().compareTo(ORDINARY_MAX) > 0) {
      breaches.add("ordinary");
    }
    if (result.compromise().compareTo(COMPROMISE_MAX) > 0) {
      breaches.add("compromise");
    }
    if (result.rowUncovered().compareTo(ROW_MAX) > 0) {
      breaches.add("row");
    }
    return breaches;
  }

  @Test
  void run_loads_printed() throws IOException {
    if (!IS_TABLE) {
      return;
    }
    System.out.println(
        "| HSM | nodes | CRLs | load | CRLs, % | checkpoints, % | both, % |"
            + " ordinary, s | compromise, s | row, s |");
    for (double rate : List.of(14.0, 40.0, 200.0)) {
      for (int nodes : rate > 14 ? List.of(30) : List.of(1, 10, 30)) {
        for (Load load :
            List.of(
                new Load(nodes, rate, 1, 0, 0, true),
                new Load(nodes, rate, 1, 1, 0.05, true),
                new Load(nodes, rate, 10, 1, 0, true),
                new Load(nodes, rate, 10, 4, 0, true))) {
          print(load, run(load, Fault.NONE, SEED, Duration.ofMinutes(10)));
        }
      }
    }
    for (int nodes : List.of(1, 10, 30)) {
      Load load = new Load(nodes, 14, 10, 10, 0, true);
      print(load, run(load, Fault.NONE, SEED, Duration.ofMinutes(10)));
    }
  }

  private static void print(Load load, Result result) {
    System.out.printf(
        Locale.ROOT,
        "| %.0f/s | %d | %d | %s, %.0f/s revoked%s | %.2f | %.2f | %.2f | %.1f | %.1f | %.1f |%n",
        load.hsmPerSecond(),
        load.nodes(),
        load.scopes(),
        load.isSaturated() ? "saturated" : "idle",
        load.revocationsPerSecond(),
        load.compromised() > 0
            ? String.format(Locale.ROOT, ", %.0f %% compromised", 100 * load.compromised())
            : "",
        100 * result.crlShare(),
        100 * result.checkpointShare(),
        100 * result.share(),
        result.ordinary().toMillis() / 1e3,
        result.compromise().toMillis() / 1e3,
        result.rowUncovered().toMillis() / 1e3);
  }

  private Result run(Load load, Fault fault, long seed, Duration howLong) throws IOException {
    return new StatusShareSimulation(load, fault, temporary, seed).run(howLong);
  }
}
