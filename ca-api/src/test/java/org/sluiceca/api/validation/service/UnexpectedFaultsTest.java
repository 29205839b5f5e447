package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class UnexpectedFaultsTest {

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final Logger log = new LoggerContext().getLogger("test");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final UnexpectedFaults faults = new UnexpectedFaults(log, now::get);

  private UnexpectedFaultsTest() {
    lines.start();
    log.addAppender(lines);
  }

  @Test
  void report_many_countedAndOneLineAPeriod() {
    for (int i = 0; i < 1_000; i++) {
      faults.report("validation", new IllegalStateException("sent by a machine"));
    }
    assertThat(faults.count()).isEqualTo(1_000);
    assertThat(lines.list).hasSize(1);

    now.set(Instant.EPOCH.plus(UnexpectedFaults.PERIOD));
    faults.report("validation", new IllegalStateException());
    assertThat(lines.list).hasSize(2);
    assertThat(lines.list.getLast().getFormattedMessage()).contains("number 1001");
  }

  /** Types and places of the code: what to look for, and no word of another machine. */
  @Test
  void report_typesAndPlacesWithoutMessages() {
    Throwable endless = new IllegalStateException("outer secret");
    endless.initCause(new IllegalArgumentException("inner secret", endless));

    faults.report("validation of www.example.org", endless);

    assertThat(lines.list.getFirst().getThrowableProxy()).isNull();
    assertThat(lines.list.getFirst().getFormattedMessage())
        .contains("validation of www.example.org", "IllegalStateException at ", "caused by")
        .contains("IllegalArgumentException", "UnexpectedFaultsTest")
        .doesNotContain("secret")
        .hasSizeLessThan(6_000);
  }
}
