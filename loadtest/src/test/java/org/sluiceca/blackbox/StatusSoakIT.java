package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * CRLs and OCSP of three nodes under issuance and revocation, with one node killed and one stopped
 * meanwhile: the short form of {@code ./sluice load status-soak}.
 */
@Tag("nightly")
class StatusSoakIT {

  /** A node is killed, and one stopped for 20 s; start and end take two minutes. */
  private static final String SECONDS = "35";

  /**
   * The launcher's own limits come first: 3 x 3 minutes and the training of a first start, twice 3
   * minutes of a node that was killed.
   */
  private static final Duration LIMIT = Duration.ofMinutes(30);

  @Test
  void status_nodesKilledAndStopped_nothingStaleRepeatedOrForgotten() throws IOException {
    Path out = Checkout.target().resolve("status-soak");

    Program.Ended ended =
        Program.of(Checkout.launcher(), "load", "status-soak", "--seconds", SECONDS, "--out", out)
            .within(LIMIT)
            .run();

    assertThat(ended.status()).as(ended.toString()).isZero();
    String summary = Files.readString(out.resolve("SUMMARY.md"));
    assertThat(summary).doesNotContain("MISSED");
    summary
        .lines()
        .filter(line -> line.startsWith("| from a confirmed revocation"))
        .forEach(line -> Evidence.append("revocation.txt", line));
  }
}
