package org.sluiceca.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.console.form.ConsoleCookies;
import org.sluiceca.api.console.form.FormToken;
import org.sluiceca.core.request.Role;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Who gets in, with what, and what another site or a thief of a cookie cannot do. */
class ConsoleSecurityTest {

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([\\w-]+)\"");

  private final ConsoleNode node = new ConsoleNode();

  @AfterEach
  void close() {
    node.close();
  }

  private MockHttpServletResponse send(MockHttpServletRequestBuilder request) throws Exception {
    return node.mvc.perform(request.secure(true)).andReturn().getResponse();
  }

  private MockHttpServletResponse get(String path, Cookie... cookies) throws Exception {
    MockHttpServletRequestBuilder request = MockMvcRequestBuilders.get(path);
    return send(cookies.length == 0 ? request : request.cookie(cookies));
  }

  private static MockHttpServletRequestBuilder form(String path, String body, Cookie... cookies) {
    MockHttpServletRequestBuilder request =
        MockMvcRequestBuilders.post(path)
            .contentType("application/x-www-form-urlencoded")
            .content(body.getBytes(StandardCharsets.UTF_8));
    return cookies.length == 0 ? request : request.cookie(cookies);
  }

  private static Cookie cookie(MockHttpServletResponse response, String name) {
    return Objects.requireNonNull(response.getCookie(name));
  }

  private static String csrf(MockHttpServletResponse page) throws Exception {
    Matcher matcher = CSRF.matcher(page.getContentAsString());
    assertThat(matcher.find()).as("a form with a token").isTrue();
    return matcher.group(1);
  }

  private MockHttpServletResponse signIn(String token, String more, Cookie... cookies)
      throws Exception {
    MockHttpServletResponse page = get(ConsolePaths.SIGN_IN);
    Cookie own = cookie(page, ConsoleCookies.SIGN_IN);
    Cookie[] all = new Cookie[cookies.length + 1];
    System.arraycopy(cookies, 0, all, 0, cookies.length);
    all[cookies.length] = own;
    return send(form(ConsolePaths.SIGN_IN, "token=" + token + "&csrf=" + csrf(page) + more, all));
  }

  private Cookie session(String token) throws Exception {
    MockHttpServletResponse answer = signIn(token, "");
    assertThat(answer.getStatus()).isEqualTo(303);
    return cookie(answer, ConsoleCookies.SESSION);
  }

  private String token(String requester, Role... roles) {
    String token = Tokens.next();
    node.registered(requester, token, roles);
    return token;
  }

  @Test
  void pages_withoutSession_leadToSignIn() throws Exception {
    for (String path : List.of("/console", "/console/", "/console/account", "/console/nowhere")) {
      MockHttpServletResponse answer = get(path);
      assertThat(answer.getStatus()).as(path).isEqualTo(303);
      assertThat(answer.getHeader("Location")).startsWith("/console/sign-in?to=");
    }
    assertThat(get(ConsolePaths.EVENTS).getStatus()).isEqualTo(401);
    assertThat(get(ConsolePaths.HISTORY).getStatus()).isEqualTo(401);
    assertThat(
            get(ConsolePaths.ACCOUNT, new Cookie(ConsoleCookies.SESSION, Tokens.next()))
                .getStatus())
        .isEqualTo(303);
  }

  /** Of the API's credentials none counts here. */
  @Test
  void pages_withBearerTokenAlone_leadToSignIn() throws Exception {
    String token = token("alice", Role.ADMIN);

    assertThat(
            send(MockMvcRequestBuilders.get(ConsolePaths.ACCOUNT)
                    .header("Authorization", "Bearer " + token))
                .getStatus())
        .isEqualTo(303);
  }

  @Test
  void signIn_token_opensASessionAndEndsIt() throws Exception {
    String token = token("alice", Role.REQUESTER, Role.AUDITOR);

    MockHttpServletResponse answer = signIn(token, "");

    assertThat(answer.getHeader("Location")).isEqualTo(ConsolePaths.LIVE);
    assertThat(answer.getHeaders("Set-Cookie"))
        .anySatisfy(
            header ->
                assertThat(header)
                    .startsWith(ConsoleCookies.SESSION + "=")
                    .contains("; Path=/; Secure; HttpOnly; SameSite=Strict")
                    .doesNotContain("Domain", "Max-Age"));
    Cookie session = cookie(answer, ConsoleCookies.SESSION);
    assertThat(session.getValue()).isNotEqualTo(token);
    MockHttpServletResponse page = get(ConsolePaths.ACCOUNT, session);
    assertThat(page.getStatus()).isEqualTo(200);
    assertThat(page.getContentAsString())
        .contains(">alice<", ">auditor<", ">requester<", ">tls-server<")
        .doesNotContain(token, session.getValue());

    assertThat(send(form(ConsolePaths.SIGN_OUT, "csrf=" + csrf(page), session)).getStatus())
        .isEqualTo(303);
    assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).isEqualTo(303);
    assertThat(node.count("SELECT count(*) FROM audit_event WHERE kind LIKE 'console.sign-%'"))
        .isEqualTo(2);
  }

  @Test
  void signIn_wrongToken_401AndInTheTrail() throws Exception {
    MockHttpServletResponse answer = signIn(Tokens.next(), "");

    assertThat(answer.getStatus()).isEqualTo(401);
    assertThat(answer.getContentAsString()).contains("unknown, expired or revoked");
    assertThat(answer.getCookie(ConsoleCookies.SESSION)).isNull();
    assertThat(signIn("' OR 1=1", "").getStatus()).isEqualTo(401);
    assertThat(node.count("SELECT count(*) FROM console_session")).isZero();
  }

  @Test
  void forms_withoutTheirToken_403() throws Exception {
    String token = token("alice", Role.ADMIN);
    Cookie session = session(token);
    String csrf = csrf(get(ConsolePaths.ACCOUNT, session));
    Cookie signIn = cookie(get(ConsolePaths.SIGN_IN), ConsoleCookies.SIGN_IN);

    for (MockHttpServletRequestBuilder forged :
        List.of(
            form(ConsolePaths.SIGN_OUT, "", session),
            form(ConsolePaths.SIGN_OUT, "csrf=", session),
            form(ConsolePaths.SIGN_OUT, "csrf=" + FormToken.of(Tokens.next()), session),
            form(ConsolePaths.SESSIONS, "", session),
            form(ConsolePaths.SIGN_OUT, "csrf=" + csrf, session)
                .header("Sec-Fetch-Site", "same-site"),
            form(ConsolePaths.SIGN_OUT, "csrf=" + csrf),
            // Signing in as another is an attack as well.
            form(ConsolePaths.SIGN_IN, "token=" + token),
            form(ConsolePaths.SIGN_IN, "token=" + token, signIn),
            form(ConsolePaths.SIGN_IN, "token=" + token + "&csrf=" + csrf, session))) {
      assertThat(send(forged).getStatus()).isEqualTo(403);
    }
    assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).isEqualTo(200);
    assertThat(node.count("SELECT count(*) FROM console_session")).isOne();
  }

  /** A cookie that an attacker planted, or knows from before, is worth nothing after a sign-in. */
  @Test
  void signIn_withASessionOrAPlantedCookie_getsAnotherAndEndsTheOld() throws Exception {
    String token = token("alice", Role.ADMIN);
    Cookie planted = new Cookie(ConsoleCookies.SESSION, Tokens.next());
    Cookie first = cookie(signIn(token, "", planted), ConsoleCookies.SESSION);
    Cookie second = cookie(signIn(token, "", first), ConsoleCookies.SESSION);

    assertThat(first.getValue()).isNotEqualTo(planted.getValue());
    assertThat(second.getValue()).isNotEqualTo(first.getValue());
    assertThat(get(ConsolePaths.ACCOUNT, planted).getStatus()).isEqualTo(303);
    assertThat(get(ConsolePaths.ACCOUNT, first).getStatus()).isEqualTo(303);
    assertThat(get(ConsolePaths.ACCOUNT, second).getStatus()).isEqualTo(200);
  }

  @Test
  void signIn_target_isOneOfThePagesOrTheFirst() throws Exception {
    String token = token("alice", Role.ADMIN);

    assertThat(signIn(token, "&to=/console/account").getHeader("Location"))
        .isEqualTo("/console/account");
    for (String elsewhere :
        List.of(
            "https://evil.example/",
            "//evil.example/console/account",
            "/\\evil.example",
            "/console/../v1",
            "javascript:alert(1)",
            "/console/account%0d%0aX: y")) {
      assertThat(signIn(token, "&to=" + elsewhere).getHeader("Location"))
          .as(elsewhere)
          .isEqualTo(ConsolePaths.LIVE);
      assertThat(
              send(MockMvcRequestBuilders.get(ConsolePaths.SIGN_IN).param("to", elsewhere))
                  .getContentAsString())
          .as(elsewhere)
          .doesNotContain("evil", "javascript:");
    }
  }

  @Test
  void session_ofRevokedCredential_endsAtOnce() throws Exception {
    String token = Tokens.next();
    RegisteredCredential credential = node.registered("alice", token, Role.ADMIN);
    Cookie session = session(token);
    assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).isEqualTo(200);

    node.credentials.revoke(credential.id());

    assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).isEqualTo(303);
  }

  @Test
  void session_idleOrOldOrOfExpiredCredential_hasEnded() throws Exception {
    for (String passed :
        List.of(
            "UPDATE console_session SET seen_at = now() - interval '16 minutes'",
            "UPDATE console_session SET created_at = now() - interval '9 hours'",
            "UPDATE credential SET expires_at = now() - interval '1 second'")) {
      Cookie session = session(token("alice", Role.ADMIN));
      assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).isEqualTo(200);

      ConsoleNode.SERVER.execute(node.address, passed);

      assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).as(passed).isEqualTo(303);
    }
  }

  /** What was typed for a quarter of an hour may be long. */
  @Test
  void form_ofASessionThatHasEnded_leadsToTheSignIn() throws Exception {
    Cookie session = session(token("alice", Role.REQUESTER));
    ConsoleNode.SERVER.execute(
        node.address, "UPDATE console_session SET seen_at = now() - interval '16 minutes'");

    MockHttpServletResponse answer =
        send(
            MockMvcRequestBuilders.post(ConsolePaths.ENROLL)
                .cookie(session)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .content("csr=" + "a".repeat(10_000)));

    assertThat(answer.getStatus()).isEqualTo(303);
    assertThat(answer.getHeader("Location")).startsWith(ConsolePaths.SIGN_IN);
  }

  @Test
  void page_ofAnotherRole_refusedAndInTheTrail() throws Exception {
    Cookie session = session(token("walter", Role.AUDITOR));

    assertThat(get(ConsolePaths.ENROLL, session).getStatus()).isEqualTo(403);
    node.endTrail();
    assertThat(
            node.count(
                "SELECT count(*) FROM audit_event WHERE kind = 'access.denied'"
                    + " AND actor = 'walter'"))
        .isOne();
  }

  /** Each stream ends after minutes, and the page opens another: it would keep its session. */
  @Test
  void session_ofAPageThatWasLeftOpen_getsIdle() throws Exception {
    Cookie session = session(token("alice", Role.ADMIN));
    String recent =
        "SELECT count(*) FROM console_session WHERE seen_at > now() - interval '1 minute'";
    ConsoleNode.SERVER.execute(
        node.address, "UPDATE console_session SET seen_at = now() - interval '14 minutes'");

    // A stream and its plot; there is no controller for them here.
    assertThat(get(ConsolePaths.EVENTS, session).getStatus()).isEqualTo(404);
    assertThat(get(ConsolePaths.HISTORY, session).getStatus()).isEqualTo(404);
    assertThat(node.count(recent)).isZero();

    assertThat(get(ConsolePaths.ACCOUNT, session).getStatus()).isEqualTo(200);
    assertThat(node.count(recent)).isOne();
  }

  /** Spring finds a page by its decoded path, so no rule may look at another. */
  @Test
  void paths_withEncodedCharacters_areOfTheConsoleAndLeadNowhere() throws Exception {
    Cookie session = session(token("alice", Role.ADMIN));
    for (String path :
        List.of("/%63onsole/account", "/console/%61ccount", "/console/assets/0/%6cive.js")) {
      MockHttpServletResponse answer =
          send(MockMvcRequestBuilders.get(URI.create(path)).cookie(session));
      assertThat(answer.getStatus()).as(path).isEqualTo(404);
      assertThat(answer.getHeader("Content-Security-Policy")).as(path).isNotNull();
    }
    try (ConsoleNode off = new ConsoleNode(false)) {
      assertThat(
              off.mvc
                  .perform(MockMvcRequestBuilders.get(URI.create("/%63onsole/sign-in")))
                  .andReturn()
                  .getResponse()
                  .getStatus())
          .isEqualTo(404);
    }
  }

  /** A request as Tomcat gives it whose query or body cannot be read. */
  private static final class Unreadable extends MockHttpServletRequest {

    Unreadable(String method, String path, Cookie cookie) {
      super(method, path);
      setPathInfo(path);
      setSecure(true);
      setCookies(cookie);
      setContentType("application/x-www-form-urlencoded");
    }

    @Override
    public String[] getParameterValues(String name) {
      throw new InvalidParameterException("a broken percent-encoding");
    }

    @Override
    public ServletInputStream getInputStream() {
      return new DelegatingServletInputStream(InputStream.nullInputStream()) {
        @Override
        public int read(byte[] octets, int offset, int length) throws IOException {
          throw new IOException("a chunk without a length");
        }
      };
    }
  }

  /** Any client can send them, and none may fill the log with them. */
  @Test
  void requests_thatCannotBeRead_400() throws Exception {
    Cookie own = cookie(get(ConsolePaths.SIGN_IN), ConsoleCookies.SIGN_IN);
    for (String method : List.of("GET", "POST")) {
      MockHttpServletResponse answer =
          send(
              MockMvcRequestBuilders.get(ConsolePaths.SIGN_IN)
                  .with(given -> new Unreadable(method, ConsolePaths.SIGN_IN, own)));
      assertThat(answer.getStatus()).as(method).isEqualTo(400);
      assertThat(answer.getContentType()).startsWith("text/html");
    }
  }

  @Test
  void answers_ofEveryKind_haveTheHeaders() throws Exception {
    Cookie session = session(token("alice", Role.ADMIN));
    for (MockHttpServletResponse answer :
        List.of(
            get(ConsolePaths.SIGN_IN),
            get(ConsolePaths.ACCOUNT),
            get(ConsolePaths.ACCOUNT, session),
            get("/console/nowhere", session),
            get("/console/assets/0/console.css"),
            get("/console/assets/0/nothing.css"),
            get(ConsolePaths.EVENTS),
            send(form(ConsolePaths.SIGN_OUT, "", session)),
            send(form(ConsolePaths.SIGN_IN, "").header("Content-Encoding", "gzip")),
            send(MockMvcRequestBuilders.request(HttpMethod.PUT, "/console/account")))) {
      assertThat(answer.getHeader("Content-Security-Policy"))
          .isEqualTo(
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                  + " connect-src 'self'; form-action 'self'; frame-ancestors 'none';"
                  + " base-uri 'none'");
      assertThat(answer.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(answer.getHeader("X-Frame-Options")).isEqualTo("DENY");
      assertThat(answer.getHeader("Strict-Transport-Security")).startsWith("max-age=31536000");
      assertThat(answer.getHeader("Cache-Control")).isNotBlank();
    }
  }

  @Test
  void assets_allThere_keptByTheirDigestAlone() throws Exception {
    Assets assets = new Assets();
    for (String name : List.of("console.css", "live.js", "icon.svg", "uplot.css", "uplot.js")) {
      MockHttpServletResponse kept = get(assets.url(name));
      assertThat(kept.getStatus()).as(name).isEqualTo(200);
      assertThat(kept.getContentAsByteArray()).hasSizeGreaterThan(300);
      assertThat(kept.getHeader("Cache-Control")).contains("immutable");
      MockHttpServletResponse other = get("/console/assets/0123/" + name);
      assertThat(other.getStatus()).isEqualTo(200);
      assertThat(other.getHeader("Cache-Control")).isEqualTo("no-store");
    }
    assertThat(get("/console/assets/0123/package.json").getStatus()).isEqualTo(404);
  }

  @Test
  void methods_thatPagesDoNotSend_405() throws Exception {
    for (HttpMethod method : List.of(HttpMethod.PUT, HttpMethod.DELETE, HttpMethod.OPTIONS)) {
      MockHttpServletResponse answer =
          send(MockMvcRequestBuilders.request(method, ConsolePaths.ACCOUNT));
      assertThat(answer.getStatus()).isEqualTo(405);
      assertThat(answer.getHeader("Allow")).isEqualTo("GET, HEAD, POST");
    }
  }

  @Test
  void otherSessions_ended_thisOneStays() throws Exception {
    String token = token("alice", Role.ADMIN);
    Cookie here = session(token);
    Cookie there = session(token);
    MockHttpServletResponse page = get(ConsolePaths.ACCOUNT, here);
    assertThat(page.getContentAsString()).contains("End the other sessions");

    MockHttpServletResponse answer = send(form(ConsolePaths.SESSIONS, "csrf=" + csrf(page), here));

    assertThat(answer.getHeader("Location")).isEqualTo(ConsolePaths.ACCOUNT);
    assertThat(get(ConsolePaths.ACCOUNT, here).getStatus()).isEqualTo(200);
    assertThat(get(ConsolePaths.ACCOUNT, there).getStatus()).isEqualTo(303);
    // Again there are none to end: no row more for each request.
    assertThat(send(form(ConsolePaths.SESSIONS, "csrf=" + csrf(page), here)).getStatus())
        .isEqualTo(303);
    assertThat(node.count("SELECT count(*) FROM audit_event WHERE kind = 'console.sign-out'"))
        .isOne();
  }

  /** A token in a loop would fill the audit trail, which keeps every sign-in. */
  @Test
  void signIn_thirtyTimesAMinute_thenRefused() throws Exception {
    String token = token("alice", Role.AUDITOR);
    String other = token("bob", Role.AUDITOR);
    int refused = 0;
    for (int i = 0; i < 40; i++) {
      MockHttpServletResponse answer = signIn(token, "");
      if (answer.getStatus() != 303) {
        refused++;
        assertThat(answer.getStatus()).isEqualTo(429);
        assertThat(answer.getHeader("Retry-After")).isEqualTo("60");
      }
    }

    assertThat(refused).isPositive();
    assertThat(signIn(other, "").getStatus()).isEqualTo(303);
    assertThat(node.count("SELECT count(*) FROM audit_event WHERE kind = 'console.sign-in'"))
        .isEqualTo(41 - refused);
  }

  @Test
  void console_off_404() throws Exception {
    try (ConsoleNode off = new ConsoleNode(false)) {
      assertThat(
              off.mvc
                  .perform(MockMvcRequestBuilders.get(ConsolePaths.SIGN_IN))
                  .andReturn()
                  .getResponse()
                  .getStatus())
          .isEqualTo(404);
    }
  }
}
