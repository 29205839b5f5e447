package org.sluiceca.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.StrictHttpFirewall;

class HeaderCharactersTest {

  /** A firewall as it comes: no client may see a difference from it. */
  private static boolean allowsName(String name) {
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    try {
      return firewall.getFirewalledRequest(new MockHttpServletRequest("GET", "/")).getHeader(name)
          == null;
    } catch (RequestRejectedException e) {
      return false;
    }
  }

  private static boolean allowsValue(String value) {
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
    request.addHeader("X", value);
    try {
      return value.equals(firewall.getFirewalledRequest(request).getHeader("X"));
    } catch (RequestRejectedException e) {
      return false;
    }
  }

  /** What Tomcat reads of a header is ISO 8859-1; of a parameter it may be anything. */
  @Test
  void isName_everyCharacter_asTheFirewalls() {
    assertThat(IntStream.range(0, 0x3000).mapToObj(c -> "a" + Character.toString(c) + "b"))
        .allSatisfy(name -> assertThat(HeaderCharacters.isName(name)).isEqualTo(allowsName(name)));
  }

  @Test
  void isValue_everyCharacter_asTheFirewalls() {
    assertThat(IntStream.range(0, 0x3000).mapToObj(c -> "a" + Character.toString(c) + "b"))
        .allSatisfy(
            value -> assertThat(HeaderCharacters.isValue(value)).isEqualTo(allowsValue(value)));
  }

  @Test
  void isValue_beyondThePlane_asTheFirewalls() {
    for (String value : new String[] {"", "\uD83D\uDE00", "\uD800", "\uDBFF\uDFFF", "\uFFFE"}) {
      assertThat(HeaderCharacters.isValue(value)).as(value).isEqualTo(allowsValue(value));
    }
  }

  @Test
  void tab_inValue_onlyThere() {
    assertThat(HeaderCharacters.isValue("a\tb")).isTrue();
    assertThat(HeaderCharacters.isName("a\tb")).isFalse();
  }
}
