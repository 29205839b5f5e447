package org.sluiceca.load.drill.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.drill.DrillPage;
import org.sluiceca.load.drill.client.Clients.Failure;

final class AftermathTest {

  private static final Instant KILLED = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<Instant> SERVED_ON =
      List.of(KILLED.minusSeconds(1), KILLED.plusMillis(1200), KILLED.plusSeconds(16));
  private static final int CLIENTS = 4;

  private final DrillPage page =
      new DrillPage(
          "A drill", new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

  private String judge(List<Instant> granted, List<Failure> failures, boolean hasEnded) {
    new Aftermath(KILLED, granted, failures, CLIENTS).judge(hasEnded, page);
    return page.markdown();
  }

  private static Failure failed(double seconds) {
    return new Failure(KILLED.plusMillis((long) (seconds * 1000)), "connection reset");
  }

  @Test
  void judge_twoOfEachClientAfterTheKill_isKept() {
    String said = judge(SERVED_ON, Collections.nCopies(2 * CLIENTS, failed(0.1)), true);

    assertThat(page.broken()).isZero();
    assertThat(said)
        .contains("1 certificates before, 1 later than 15.0 s after")
        .contains("8 failures of 4 clients")
        .contains("from the kill to the next certificate: 1.2 s");
  }

  @Test
  void judge_oneFailureMore_isBroken() {
    String said = judge(SERVED_ON, Collections.nCopies(2 * CLIENTS + 1, failed(0.1)), true);

    assertThat(page.broken()).isOne();
    assertThat(said).contains("BROKEN: what fails between is what was under way");
  }

  @Test
  void judge_failureBeforeTheKill_isBrokenAndShown() {
    String said = judge(SERVED_ON, List.of(failed(-0.1)), true);

    assertThat(page.broken()).isOne();
    assertThat(said)
        .contains("BROKEN: nothing fails before the kill")
        .contains("2025-12-31T23:59:59.900Z connection reset");
  }

  @Test
  void judge_failureWhenItShouldBeOver_isBroken() {
    String said = judge(SERVED_ON, List.of(failed(15.1)), true);

    assertThat(page.broken()).isOne();
    assertThat(said).contains("0 before, 1 later than 15.0 s after");
  }

  @Test
  void judge_noCertificateLater_isBroken() {
    String said = judge(List.of(KILLED.minusSeconds(1)), List.of(), true);

    assertThat(page.broken()).isOne();
    assertThat(said)
        .contains("BROKEN: the other machine serves on")
        .contains("from the kill to the next certificate: none came");
  }

  @Test
  void judge_machineThatDidNotEnd_isBroken() {
    assertThat(judge(SERVED_ON, List.of(), false)).contains("BROKEN: the other machine serves on");
  }
}
