package org.sluiceca.core.registration.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameSpaceTest {

  @ParameterizedTest
  @CsvSource({
    "*.corp.example, www.corp.example, true",
    "*.corp.example, a.b.corp.example, true",
    "*.corp.example, *.corp.example, true",
    "*.corp.example, *.b.corp.example, true",
    "*.corp.example, corp.example, false",
    "*.corp.example, evilcorp.example, false",
    "*.corp.example, www.corp.example.org, false",
    "corp.example, corp.example, true",
    "corp.example, www.corp.example, false",
    "corp.example, *.corp.example, false",
    "CORP.example, corp.EXAMPLE, true",
    "*.example, www.example, true",
    "*, www.corp.example, true",
    "*, *.corp.example, true",
    "localhost, localhost, true",
  })
  void outside_name_asTheContractSays(String pattern, String name, boolean isCovered) {
    NameSpace space = new NameSpace(List.of(pattern));

    assertThat(space.outside(List.of(Identifier.parse("dns", name).orElseThrow())).isEmpty())
        .isEqualTo(isCovered);
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
  void outside_address_neverCovered(String address) {
    NameSpace any = new NameSpace(List.of(NameSpace.ANY));

    assertThat(any.outside(List.of(Identifier.parse("ip", address).orElseThrow()))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*.",
        "**",
        "*.*.corp.example",
        "a.*.example",
        ".corp.example",
        "corp..example",
        "münchen.example",
        "192.0.2.1",
        "http://corp.example",
        "corp.example."
      })
  void new_noPattern_isRefusedWithAnExample(String pattern) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NameSpace(List.of(pattern)))
        .withMessageContaining("*.corp.example");
  }

  @Test
  void new_noneOrTooMany_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new NameSpace(List.of()));
    List<String> many =
        IntStream.rangeClosed(0, NameSpace.PATTERNS_MAX)
            .mapToObj(i -> "h" + i + ".example")
            .toList();
    assertThatIllegalArgumentException().isThrownBy(() -> new NameSpace(many));
    assertThat(new NameSpace(Collections.nCopies(200, "a.example")).patterns()).hasSize(1);
  }
}
