package org.sluiceca.api.revocation.crl;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.revocation.crl.StatusShareSimulation.Load;
import org.sluiceca.api.revocation.crl.StatusShareSimulation.Result;

/**
 * The part of a slow HSM that goes to CRLs and checkpoints. {@code -Dstatus.share=table} prints it
 * for many loads.
 */
class StatusShareTest {

  private static final long SEED = 1;

  private static final boolean IS_TABLE = "table".equals(System.getProperty("status.share"));

  @TempDir Path temporary;

  @Test
  void run_loads_printed() throws IOException {
    if (!IS_TABLE) {
      return;
    }
    System.out.println(
        "| HSM | nodes | CRLs | load | CRLs, % | checkpoints, % | both, % |"
            + " ordinary, s | compromise, s | row, s |");
    for (double rate : List.of(14.0, 40.0, 200.0)) {
      for (int nodes : List.of(1, 10, 30)) {
        for (Load load :
            List.of(
                new Load(nodes, rate, 1, 0, 0, false),
                new Load(nodes, rate, 1, 0, 0, true),
                new Load(nodes, rate, 1, 1, 0, true),
                new Load(nodes, rate, 1, 1, 0.05, true),
                new Load(nodes, rate, 10, 1, 0, true),
                new Load(nodes, rate, 10, 4, 0, true),
                new Load(nodes, rate, 10, 10, 0, true))) {
          print(load, run(load, Duration.ofMinutes(10)));
        }
      }
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

  private Result run(Load load, Duration howLong) throws IOException {
    return new StatusShareSimulation(load, temporary, SEED).run(howLong);
  }
}
