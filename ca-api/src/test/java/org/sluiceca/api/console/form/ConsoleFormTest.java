package org.sluiceca.api.console.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What a form may look like, and which token and cookie go with it. */
class ConsoleFormTest {

  private static MockHttpServletRequest request(String type, String body) {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/console/sign-in");
    request.setContentType(type);
    request.setContent(body.getBytes(StandardCharsets.UTF_8));
    return request;
  }

  private static MockHttpServletRequest form(String body) {
    return request("application/x-www-form-urlencoded", body);
  }

  private static ProblemType refusal(MockHttpServletRequest request) {
    return catchThrowableOfType(
            ProblemException.class, () -> ConsoleForm.read(request, ConsoleForm.OCTETS_MAX))
        .type();
  }

  @Test
  void read_fields_decoded() throws IOException {
    ConsoleForm form = ConsoleForm.read(form("token=a%2Bb+c&empty=&alone"), ConsoleForm.OCTETS_MAX);

    assertThat(form.field("token")).isEqualTo("a+b c");
    assertThat(form.field("empty")).isEmpty();
    assertThat(form.field("absent")).isEmpty();
  }

  @Test
  void read_whatIsNoForm_refused() {
    assertThat(refusal(request("application/json", "{}")))
        .isEqualTo(ProblemType.UNSUPPORTED_MEDIA_TYPE);
    assertThat(refusal(form("a=1&a=2"))).isEqualTo(ProblemType.MALFORMED_REQUEST);
    assertThat(refusal(form("a=%zz"))).isEqualTo(ProblemType.MALFORMED_REQUEST);
    assertThat(refusal(form("a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q")))
        .isEqualTo(ProblemType.MALFORMED_REQUEST);
    assertThat(refusal(form("a=" + "x".repeat(4_095)))).isEqualTo(ProblemType.BODY_TOO_LARGE);
  }

  @Test
  void read_formOfARequest_upToItsOwnLimit() throws IOException {
    String long64 = "x".repeat(ConsoleForm.REQUEST_OCTETS_MAX - 2);

    assertThat(ConsoleForm.read(form("a=" + long64), ConsoleForm.REQUEST_OCTETS_MAX).field("a"))
        .isEqualTo(long64);
    assertThat(
            catchThrowableOfType(
                    ProblemException.class,
                    () -> ConsoleForm.read(form("a=x" + long64), ConsoleForm.REQUEST_OCTETS_MAX))
                .type())
        .isEqualTo(ProblemType.BODY_TOO_LARGE);
  }

  @Test
  void token_isOfItsCookieAlone() {
    String cookie = Tokens.next();

    assertThat(FormToken.isOf(cookie, FormToken.of(cookie))).isTrue();
    assertThat(FormToken.isOf(cookie, FormToken.of(Tokens.next()))).isFalse();
    assertThat(FormToken.isOf(cookie, "")).isFalse();
    assertThat(FormToken.isOf(cookie, null)).isFalse();
    assertThat(FormToken.of(cookie)).isNotEqualTo(cookie);
  }

  @Test
  void cookie_set_onlyForThisHostByTlsAndNotForScripts() {
    MockHttpServletResponse response = new MockHttpServletResponse();

    ConsoleCookies.set(response, ConsoleCookies.SESSION, "v");

    assertThat(response.getHeader("Set-Cookie"))
        .isEqualTo("__Host-sluice-console=v; Path=/; Secure; HttpOnly; SameSite=Strict");
  }

  @Test
  void cookie_doubleOrForeign_isNone() {
    String value = Tokens.next();
    MockHttpServletRequest one = new MockHttpServletRequest();
    one.setCookies(new Cookie("x", "y"), new Cookie(ConsoleCookies.SESSION, value));
    MockHttpServletRequest two = new MockHttpServletRequest();
    two.setCookies(
        new Cookie(ConsoleCookies.SESSION, value), new Cookie(ConsoleCookies.SESSION, value));
    MockHttpServletRequest foreign = new MockHttpServletRequest();
    foreign.setCookies(new Cookie(ConsoleCookies.SESSION, "x'--"));

    assertThat(ConsoleCookies.read(one, ConsoleCookies.SESSION)).contains(value);
    assertThat(ConsoleCookies.read(two, ConsoleCookies.SESSION)).isEmpty();
    assertThat(ConsoleCookies.read(foreign, ConsoleCookies.SESSION)).isEmpty();
    assertThat(ConsoleCookies.read(new MockHttpServletRequest(), ConsoleCookies.SESSION)).isEmpty();
  }
}
