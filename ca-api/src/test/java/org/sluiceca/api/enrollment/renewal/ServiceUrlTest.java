package org.sluiceca.api.enrollment.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceUrlTest {

  @ParameterizedTest
  @CsvSource({
    "https://ca.example.test, https://ca.example.test, ca.example.test",
    "https://ca.example.test:8443/, https://ca.example.test:8443, ca.example.test",
    "https://192.0.2.1:1, https://192.0.2.1:1, 192.0.2.1"
  })
  void parse_base_withoutSlash(String setting, String text, String host) {
    assertThat(ServiceUrl.parse(setting).text()).isEqualTo(text);
    assertThat(ServiceUrl.parse(setting).host()).isEqualTo(host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://ca.example.test",
        "https://ca.example.test/path",
        "https://ca.example.test//",
        "https://user@ca.example.test",
        "https://ca.example.test?x",
        "https://ca.example.test#x",
        "https://",
        "ca.example.test",
        "https://ca example",
        ""
      })
  void parse_other_refusedWithWhatToWrite(String setting) {
    assertThatThrownBy(() -> ServiceUrl.parse(setting))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://host");
  }
}
