package org.sluiceca.load.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.drill.client.Waits;

class RestartFiguresTest {

  private static final long BEGIN = Long.MAX_VALUE - 5;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private static String shown(Waits waits) {
    RestartFigures figures = new RestartFigures();
    figures.begin("before", BEGIN);
    figures.begin("while it leaves", BEGIN + SECOND);
    figures.begin("while it comes back", BEGIN + 2 * SECOND);
    DrillPage page =
        new DrillPage(
            "Drill", new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    figures.show(waits, BEGIN + 4 * SECOND, page);
    return page.markdown();
  }

  /** A hundred requests that are due in this second, each of which takes {@code millis}. */
  private static void second(Waits waits, int second, long millis) {
    for (int i = 0; i < 100; i++) {
      long due = BEGIN + second * SECOND + 10L * i * MILLI;
      waits.add(due, due + millis * MILLI);
    }
  }

  @Test
  void show_serviceStopsForASecond_itsPartAloneShowsIt() {
    Waits waits = new Waits();
    second(waits, 0, 10);
    for (int i = 0; i < 100; i++) {
      long due = BEGIN + SECOND + 10L * i * MILLI;
      waits.add(due, BEGIN + 2 * SECOND + 10 * MILLI);
    }
    second(waits, 2, 15);

    assertThat(shown(waits))
        .contains(
            "- before: p50 10.0 ms, p99 10.0 ms, 100 requests in 1.0 s\n",
            "- while it leaves: p50 510.0 ms, p99 1000.0 ms, 100 requests in 1.0 s,"
                + " p99 100.0 times that before the restarts\n",
            "- while it comes back: p50 15.0 ms, p99 15.0 ms, 100 requests in 2.0 s,"
                + " p99 1.5 times that before the restarts\n",
            "- p99 at worst: 100.0 times that before the restarts\n");
  }

  @Test
  void show_dueAtABoundary_belongsToThePartThatBegins() {
    Waits waits = new Waits();
    waits.add(BEGIN + SECOND - 1, BEGIN + 3 * SECOND);
    waits.add(BEGIN + SECOND, BEGIN + 3 * SECOND);
    waits.add(BEGIN - 1, BEGIN);
    waits.add(BEGIN + 4 * SECOND, BEGIN + 5 * SECOND);

    assertThat(shown(waits))
        .contains("- before: p50 2000.0 ms, p99 2000.0 ms, 1 requests in 1.0 s\n")
        .contains("- while it leaves: p50 2000.0 ms, p99 2000.0 ms, 1 requests in 1.0 s,")
        .contains("- while it comes back: p50 - ms, p99 - ms, 0 requests in 2.0 s,")
        .contains("- p99 at worst: 1.0 times that before the restarts\n");
  }

  /** Of nothing nothing is a multiple, least of all 0 times. */
  @Test
  void show_noRequestsBefore_noRatio() {
    Waits waits = new Waits();
    second(waits, 1, 10);

    assertThat(shown(waits)).contains("- p99 at worst: - times that before the restarts\n");
  }
}
