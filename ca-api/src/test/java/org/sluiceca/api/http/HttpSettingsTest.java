package org.sluiceca.api.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpSettingsTest {

  private static HttpSettings times(Duration body, Duration anonymous) {
    return new HttpSettings(body, anonymous, 256, 0, 256, 0, List.of());
  }

  @Test
  void bounds_areIncluded() {
    assertThatCode(() -> times(Duration.ofSeconds(50), Duration.ofSeconds(1)))
        .doesNotThrowAnyException();
    assertThatCode(
            () ->
                new HttpSettings(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    65_536,
                    512,
                    65_536,
                    65_536,
                    List.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void beyondBounds_refusedByName() {
    Duration ten = Duration.ofSeconds(10);
    assertThatThrownBy(() -> times(Duration.ofSeconds(51), ten))
        .hasMessage("sluice.http.body-time is PT51S; set it to 1 s to 50 s");
    assertThatThrownBy(() -> times(ten, Duration.ofSeconds(11)))
        .hasMessage("sluice.http.anonymous-body-time is PT11S; set it to 1 s to 10 s");
    assertThatThrownBy(() -> new HttpSettings(ten, ten, -1, 0, 256, 0, List.of()))
        .hasMessage("sluice.http.anonymous-body-rate is -1; set it to 0 to 65536");
    assertThatThrownBy(() -> new HttpSettings(ten, ten, 0, 513, 256, 0, List.of()))
        .hasMessageContaining("sluice.http.anonymous-bodies is 513");
    assertThatThrownBy(() -> new HttpSettings(ten, ten, 0, 0, 15, 0, List.of()))
        .hasMessageContaining("sluice.http.plain-connections is 15");
    assertThatThrownBy(() -> new HttpSettings(ten, ten, 0, 0, 256, -1, List.of()))
        .hasMessageContaining("sluice.http.connections-per-address is -1");
  }
}
