package org.sluiceca.api.console;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings out of range stop the node, and name themselves. */
class ConsoleSettingsTest {

  @Test
  void outOfRange_refusedByName() {
    Duration hour = Duration.ofHours(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConsoleSettings(true, Duration.ofSeconds(119), hour, 32))
        .withMessageStartingWith("sluice.console.idle-timeout is PT1M59S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConsoleSettings(true, hour, Duration.ofMinutes(59), 32))
        .withMessageStartingWith("sluice.console.session-max is PT59M");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConsoleSettings(true, hour, Duration.ofHours(25), 32))
        .withMessageStartingWith("sluice.console.session-max is PT25H");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConsoleSettings(true, hour, hour, 65))
        .withMessageStartingWith("sluice.console.streams is 65");
    assertThatCode(() -> new ConsoleSettings(false, Duration.ofMinutes(2), hour, 0))
        .doesNotThrowAnyException();
    assertThatCode(ConsoleSettings::defaults).doesNotThrowAnyException();
  }
}
