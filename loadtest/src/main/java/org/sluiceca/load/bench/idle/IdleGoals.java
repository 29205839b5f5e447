package org.sluiceca.load.bench.idle;

import java.util.function.ToDoubleFunction;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Text;

/**
 * Goals for one fresh node and its PostgreSQL, from minute 2 to minute 10. A shorter run is judged
 * by its own window, which the goal names.
 */
final class IdleGoals {

  private static final String OURS = "sluice";
  private static final int LOW_RATE = 20;
  private static final int LONE_RATE = 2;

  private static final double CA_MILLIS = 2;
  private static final double IDLE_PERCENT = 0.3;
  private static final double IDLE_DATABASE_PERCENT = 0.1;
  private static final double LONE_MILLIS = 5;

  private final IdleRun run;
  private final Goals goals = new Goals();

  private IdleGoals(IdleRun run) {
    this.run = run;
  }

  static Goals judge(IdleRun run) {
    IdleGoals all = new IdleGoals(run);
    all.atMost(CA_MILLIS, "ms of CPU a certificate", LOW_RATE, Window::caMillisEach);
    all.atMost(IDLE_PERCENT, "% of a core, idle node", 0, it -> 100 * it.caCoreShare());
    all.atMost(
        IDLE_DATABASE_PERCENT,
        "% of a core, PostgreSQL of an idle node",
        0,
        it -> 100 * it.databaseCoreShare());
    all.atMost(LONE_MILLIS, "ms for a lone request, p50", LONE_RATE, Window::p50Millis);
    return all.goals;
  }

  private void atMost(double limit, String what, int rate, ToDoubleFunction<Window> figure) {
    String name = Text.format("≤ %s %s, at %d/s", Text.number(limit, 1), what, rate);
    run.judged(OURS, rate)
        .ifPresentOrElse(
            window -> {
              double seen = figure.applyAsDouble(window);
              goals.add(
                  name + " in minutes " + window.minutes(), seen <= limit, Text.number(seen, 2));
            },
            () -> goals.unjudged(name, "the run has no such load"));
  }
}
