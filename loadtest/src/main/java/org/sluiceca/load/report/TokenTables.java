package org.sluiceca.load.report;

import static org.sluiceca.load.page.Table.column;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
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

  /** Returns a row of each HSM in each phase; none if there is one HSM. */
  Table ways() {
    return Table.of(
        results.tokens().isEmpty() ? List.of() : seen(),
        column("phase", Seen::phase),
        column("HSM, as all nodes have it", Seen::hsm),
        column("threads", seen -> seen.at(TokenLook::sessions, 1)),
        column("window p50", seen -> seen.at(TokenLook::window, 0.5)),
        column("in the HSM p50", seen -> seen.at(TokenLook::inflight, 0.5)),
        column("waiting p50", seen -> seen.at(TokenLook::waiting, 0.5)),
        column("p99", seen -> seen.at(TokenLook::waiting, 0.99)),
        column("max", seen -> seen.at(TokenLook::waiting, 1)));
  }

  /** What all nodes had of an HSM in a phase. */
  private record Seen(String phase, String hsm, List<TokenLook> looks) {

    private String at(ToDoubleFunction<TokenLook> figure, double share) {
      return Text.number(new Percentiles(looks.stream().mapToDouble(figure)).at(share), 1);
    }
  }

  private List<Seen> seen() {
    List<Seen> all = new ArrayList<>();
    for (PhaseJudge.Figures figures : results.phases()) {
      for (HsmPlan hsm : results.plan().hsms(figures.seen().phase())) {
        List<TokenLook> looks =
            results.tokens().stream()
                .filter(look -> look.hsm().equals(hsm.name()))
                .filter(look -> figures.seen().contains(look.atNanos()))
                .toList();
        all.add(new Seen(figures.seen().phase().name(), hsm.name(), looks));
      }
    }
    return all;
  }

  /** Of the last phase: they are configured, and do not change. */
  Table ladder() {
    Table table = new Table("timeouts, each within the one before", "", "", "");
    if (!results.tokens().isEmpty()) {
      for (List<TimeoutLadder.Rung> side : results.phases().getLast().seen().ladder().sides()) {
        table.add(side.stream().map(TokenTables::rung).toArray(String[]::new));
      }
    }
    return table;
  }

  private static String rung(TimeoutLadder.Rung rung) {
    return Text.format("%s: %.3f s", rung.what(), rung.seconds());
  }
}
