package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code ./sluice drill} from the command line to its verdict. The comparison is shown to miss what
 * is lost within each drill; docs/TESTING.md has the faults that are planted by hand. The three
 * take seven minutes.
 */
@Tag("nightly")
class DrillIT {

  /** Fifty seconds on two idle processors. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static void drill(String which, String... options) throws IOException {
    Path out = Checkout.target().resolve("drill-" + which);

    List<Object> words = new ArrayList<>(List.of(Checkout.launcher(), "drill", which));
    words.addAll(List.of("--seconds", "5", "--out", out));
    words.addAll(List.of(options));

    Program.Ended ended = Program.of(words.toArray()).within(LIMIT).run();

    assertThat(ended.status()).as(ended.toString()).isZero();
    Files.readString(out.resolve("DRILL.md"))
        .lines()
        .filter(line -> line.startsWith("- "))
        .forEach(line -> Evidence.note("drill " + line));
  }

  @Test
  void restore_databaseDestroyed_everythingAnsweredIsThereOrTold() throws IOException {
    drill("restore", "--brief");
  }

  @Test
  void failover_primaryKilled_nothingAnsweredIsLostWhereReplicationIsSynchronous()
      throws IOException {
    drill("failover", "--brief");
  }

  @Test
  void rolling_eachNodeStoppedAndStartedAgain_noClientSeesAFailure() throws IOException {
    drill("rolling");
  }
}
