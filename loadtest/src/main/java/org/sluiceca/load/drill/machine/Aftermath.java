package org.sluiceca.load.drill.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.load.drill.DrillPage;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.page.Text;

/**
 * What clients saw of a machine that was killed. Pure.
 *
 * @param granted when each certificate was there
 * @param clients how many there were
 */
record Aftermath(
    Instant killed, List<Instant> granted, List<Clients.Failure> failures, int clients) {

  /** The balancer's two failed checks, and a request that was under way meanwhile. */
  static final Duration FAILS_FOR = Duration.ofSeconds(15);

  /** What was under way, and what was begun before the balancer had noticed. */
  private static final int FAILURES_A_CLIENT = 2;

  /** Copies the lists. */
  Aftermath {
    granted = List.copyOf(granted);
    failures = List.copyOf(failures);
  }

  /**
   * Judges.
   *
   * @param hasEnded the machine is off, and no client waits any more
   */
  void judge(boolean hasEnded, DrillPage page) {
    Instant settled = killed.plus(FAILS_FOR);
    String span = DrillPage.seconds(FAILS_FOR.toMillis() / 1e3);
    long before = granted.stream().filter(at -> !at.isAfter(killed)).count();
    long after = granted.stream().filter(settled::isBefore).count();
    page.promise(
        "the other machine serves on",
        hasEnded && after > 0,
        Text.format("%d certificates before, %d later than %s after", before, after, span));
    long early = failures.stream().filter(failure -> !failure.at().isAfter(killed)).count();
    long late = failures.stream().filter(failure -> failure.at().isAfter(settled)).count();
    page.promise(
        "nothing fails before the kill, and nothing once it is over",
        early == 0 && late == 0,
        Text.format(
            "killed at %s, %d before, %d later than %s after%s",
            killed, early, late, span, Clients.Failure.list(failures, DrillPage.FAILURES_SHOWN)));
    page.promise(
        "what fails between is what was under way",
        failures.size() <= FAILURES_A_CLIENT * clients,
        Text.format("%d failures of %d clients", failures.size(), clients));
    Optional<Instant> next = granted.stream().filter(killed::isBefore).min(Instant::compareTo);
    page.figure(
        "from the kill to the next certificate",
        next.map(at -> DrillPage.seconds(Duration.between(killed, at).toMillis() / 1e3))
            .orElse("none came"));
  }
}
