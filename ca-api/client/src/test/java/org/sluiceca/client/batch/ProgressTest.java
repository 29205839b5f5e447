package org.sluiceca.client.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.sluiceca.client.output.Console;

class ProgressTest {
  private final StringWriter err = new StringWriter();
  private final Console console = new Console(new PrintWriter(err), new PrintWriter(err));
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void show_noTerminal_aMessageEachTenSeconds() {
    Progress progress = new Progress(console, false, nanos::get, 1_000, 100);
    after(9_999);
    progress.show(150, 0);
    assertThat(err.toString()).isEmpty();

    after(1);
    progress.show(290, 10);
    progress.show(291, 10);

    assertThat(err.toString().strip())
        .isEqualTo("sluice: 290 of 1000 done, 10 failed, 20.0/s, about 35 s left");
  }

  @Test
  void show_terminal_oneLineThatOtherTextReplaces() {
    Progress progress = new Progress(console, true, nanos::get, 100_000, 0);
    after(1_000);
    progress.show(10, 0);
    after(1_000);
    progress.show(20, 0);
    console.line("x");

    assertThat(err.toString())
        .startsWith(
            "\rsluice: 10 of 100000 done, 0 failed, 10.0/s, about 2:46:39 h left\rsluice: 2")
        .matches("(?s).* +\rx\n");
  }

  @Test
  void show_quiet_nothing() {
    console.beQuiet();
    Progress progress = new Progress(console, true, nanos::get, 10, 0);
    after(60_000);
    progress.show(1, 0);

    assertThat(err.toString()).isEmpty();
  }

  private void after(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
