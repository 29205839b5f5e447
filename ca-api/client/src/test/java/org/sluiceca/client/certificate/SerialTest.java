package org.sluiceca.client.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.output.Failure;

class SerialTest {

  @ParameterizedTest
  @ValueSource(strings = {"01:2A", "serial=012A", "0x012a", " 01 2a "})
  void of_formsOfOtherPrograms_one(String text) {
    assertThat(Serial.of(text)).isEqualTo("012a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "xyz", "../x", "012a012a012a012a012a012a012a012a012a012a0"})
  void of_noSerial_usage(String text) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> Serial.of(text))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2));
  }
}
