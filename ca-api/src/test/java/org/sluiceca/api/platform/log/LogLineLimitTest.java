package org.sluiceca.api.platform.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A line that a client can cause does not fill the disk. */
class LogLineLimitTest {

  private final AtomicLong nanos = new AtomicLong();
  private final LogLineLimit limit = new LogLineLimit(Set.of("access"), nanos::get);
  private final LoggerContext context = new LoggerContext();

  private FilterReply line(String logger, Level level, String text) {
    return limit.decide(null, context.getLogger(logger), level, text, null, null);
  }

  @Test
  void decide_floodOfDifferentTexts_firstOfAMinuteAndACount() {
    for (int i = 0; i < LogLineLimit.LINES_PER_MINUTE; i++) {
      assertThat(line("web", Level.WARN, "No mapping for /" + i)).isEqualTo(FilterReply.NEUTRAL);
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(line("web", Level.WARN, "No mapping for //" + i)).isEqualTo(FilterReply.DENY);
    }

    assertThat(limit.suppressed()).isEqualTo(10_000);
    assertThat(line("web", Level.ERROR, "another level")).isEqualTo(FilterReply.NEUTRAL);
    assertThat(line("crl", Level.WARN, "another logger")).isEqualTo(FilterReply.NEUTRAL);
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    assertThat(line("web", Level.WARN, "the next minute")).isEqualTo(FilterReply.NEUTRAL);
  }

  @Test
  void decide_loggerWithALimitOfItsOwn_neutral() {
    for (int i = 0; i <= LogLineLimit.LINES_PER_MINUTE; i++) {
      assertThat(line("access", Level.INFO, "request")).isEqualTo(FilterReply.NEUTRAL);
    }
  }

  /** Lines that are not written anyway use up nothing. */
  @Test
  void decide_levelIsOff_notCounted() {
    context.getLogger("web").setLevel(Level.ERROR);
    for (int i = 0; i <= LogLineLimit.LINES_PER_MINUTE; i++) {
      assertThat(line("web", Level.WARN, "off")).isEqualTo(FilterReply.NEUTRAL);
    }

    assertThat(limit.suppressed()).isZero();
  }

  @Test
  void bounded_longOrHiddenCharacters_cutAndReplaced() {
    assertThat(BoundedLogText.bounded("plain", 5)).isEqualTo("plain");
    assertThat(BoundedLogText.bounded("longer", 5)).isEqualTo("longe… (6 characters)");
    assertThat(BoundedLogText.bounded("a\u202eb\u2028c", 10)).isEqualTo("a\ufffdb\ufffdc");
  }
}
