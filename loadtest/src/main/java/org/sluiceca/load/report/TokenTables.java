package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.HsmPlan;

/**
 * Several HSMs as the nodes have them: threads, window and what waits for each; and how their
 * timeouts stand within one another.
 */
final class TokenTables {

  private final Results results;

  TokenTables(Results results) {
    this.results = results;
  }

  /** Returns the tables; none if there is one HSM. */
  List<List<List<String>>> all() {
    return results.tokens().isEmpty() ? List.of() : List.of(ways(), ladder());
  }

  private List<List<String>> ways() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "phase",
            "HSM, as all nodes have it",
            "threads",
            "window p50",
            "in the HSM p50",
            "waiting p50",
            "p99",
            "max"));
    for (PhaseJudge.Figures figures : results.phases()) {
      for (HsmPlan hsm : results.plan().hsms(figures.seen().phase())) {
        List<TokenLook> looks = looks(figures.seen(), hsm.name());
        rows.add(
            List.of(
                figures.seen().phase().name(),
                hsm.name(),
                shown(looks, TokenLook::sessions, 1),
                shown(looks, TokenLook::window, 0.5),
                shown(looks, TokenLook::inflight, 0.5),
                shown(looks, TokenLook::waiting, 0.5),
                shown(looks, TokenLook::waiting, 0.99),
                shown(looks, TokenLook::waiting, 1)));
      }
    }
    return rows;
  }

  private List<TokenLook> looks(PhaseRecord seen, String hsm) {
    return results.tokens().stream()
        .filter(look -> look.hsm().equals(hsm))
        .filter(look -> look.atNanos() >= seen.fromNanos() && look.atNanos() < seen.untilNanos())
        .toList();
  }

  private static String shown(
      List<TokenLook> looks, ToDoubleFunction<TokenLook> figure, double share) {
    return FigureTables.shown(
        new Percentiles(looks.stream().mapToDouble(figure)).at(share), FigureTables.Form.ONE_DIGIT);
  }

  /** Of the last phase: they are configured, and do not change. */
  private List<List<String>> ladder() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("timeouts, each within the one before", "", "", ""));
    for (List<TimeoutLadder.Rung> side : results.phases().getLast().seen().ladder().sides()) {
      rows.add(side.stream().map(TokenTables::rung).toList());
    }
    return rows;
  }

  private static String rung(TimeoutLadder.Rung rung) {
    return String.format(Locale.ROOT, "%s: %.3f s", rung.what(), rung.seconds());
  }
}
