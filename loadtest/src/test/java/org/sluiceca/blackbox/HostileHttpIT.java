package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** HTTP that no client sends by accident: every answer is a problem, and no two readers differ. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class HostileHttpIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** An answer takes milliseconds; this long the tests wait to see that nothing more comes. */
  private static final Duration PATIENCE = Duration.ofMillis(1_500);

  /** Below the 10 s after which the node ends any connection that says nothing. */
  private static final Duration END_WITHIN = Duration.ofSeconds(8);

  private static final String GET = "GET /v1/profiles HTTP/1.1\r\nHost: a\r\n";

  private static URI node() {
    return TRIAL.trial().https(0);
  }

  private static Path root() {
    return TRIAL.trial().data().resolve("root.pem");
  }

  private static RawHttp.Reply send(String request) {
    return RawHttp.send(node(), root(), request, PATIENCE);
  }

  /** What must end the connection. */
  private static RawHttp.Reply sendLast(String request) {
    return RawHttp.send(node(), root(), request, END_WITHIN);
  }

  /** The head of an authenticated enrollment, without what frames its body. */
  private static String post() {
    return anonymous() + credential();
  }

  private static String anonymous() {
    return String.join(
        "\r\n",
        "POST /v1/certificates?profile=tls-server HTTP/1.1",
        "Host: a",
        "Content-Type: application/pkcs10",
        "");
  }

  private static String credential() {
    return "Authorization: Bearer " + TRIAL.trial().read("enroll.token").strip() + "\r\n";
  }

  /**
   * One request.
   *
   * @param type how the problem's type ends
   * @param isClosed whether the connection must end with the answer
   */
  private record Case(String title, String request, int status, String type, boolean isClosed) {}

  private static List<Case> heads() {
    List<Case> cases = new ArrayList<>();
    malformed(cases, "garbage", "GARBAGE\r\n\r\n");
    malformed(cases, "no host", "GET /v1/profiles HTTP/1.1\r\n\r\n");
    malformed(cases, "two hosts", GET + "Host: b\r\n\r\n");
    malformed(cases, "bad character in the target", "GET /v1/a<b HTTP/1.1\r\nHost: a\r\n\r\n");
    malformed(cases, "NUL in a header", GET + "X: a\u0000b\r\n\r\n");
    malformed(cases, "blank before the colon", GET + "X : a\r\n\r\n");
    malformed(cases, "one large header", GET + "X: " + "a".repeat(20_000) + "\r\n\r\n");
    malformed(
        cases,
        "many headers",
        GET
            + String.join("", IntStream.range(0, 80).mapToObj(i -> "X" + i + ": a\r\n").toList())
            + "\r\n");
    malformed(cases, "long URI", "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    for (String path :
        List.of(
            "//v1/profiles",
            "/v1;a=b/profiles",
            "/v1/%2e%2e/profiles",
            "/v1/./profiles/..",
            "/v1/%00",
            "/v1%2fprofiles",
            "/v1%5cprofiles",
            "/v1\\profiles",
            "/v1/%zz",
            "/v1/%0a")) {
      malformed(cases, "path " + path, "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    malformed(cases, "a method of no token", "F@O /v1/profiles HTTP/1.1\r\nHost: a\r\n\r\n");
    cases.add(
        new Case(
            "unknown method without a credential",
            "FOO /v1/profiles HTTP/1.1\r\nHost: a\r\n\r\n",
            405,
            "/method-not-allowed",
            false));
    cases.add(
        new Case(
            "HTTP of another day",
            "GET / HTTP/3.7\r\nHost: a\r\n\r\n",
            505,
            "/http-version-not-supported",
            true));
    cases.add(
        new Case(
            "CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 501, "/not-implemented", true));
    cases.add(
        new Case(
            "TRACE",
            "TRACE /v1/profiles HTTP/1.1\r\nHost: a\r\n\r\n",
            405,
            "/method-not-allowed",
            false));
    cases.add(
        new Case(
            "the error page itself",
            "GET /error HTTP/1.1\r\nHost: a\r\n" + credential() + "\r\n",
            404,
            "/not-found",
            false));
    cases.add(
        new Case(
            "two credentials", post() + credential() + "\r\n", 401, "/unauthenticated", false));
    return cases;
  }

  /** What is looked at only when it is read. */
  private static List<Case> readLate() {
    List<Case> cases = new ArrayList<>();
    malformed(
        cases,
        "characters outside of ASCII in a header that is read",
        post() + "Idempotency-Key: \u00d7\u00f8\u009b\r\nContent-Length: 1\r\n\r\n0");
    malformed(
        cases,
        "a parameter without a name",
        post().replace("?", "?=null&") + "Content-Length: 1\r\n\r\n0");
    malformed(
        cases,
        "too many parameters",
        post().replace("?", "?" + "a&".repeat(50)) + "Content-Length: 1\r\n\r\n0");
    malformed(
        cases,
        "a query that cannot be decoded",
        post().replace("profile=tls-server", "profile=%zz") + "Content-Length: 1\r\n\r\n0");
    return cases;
  }

  private static void malformed(List<Case> cases, String title, String request) {
    cases.add(new Case(title, request, 400, "/malformed-request", true));
  }

  private static List<Case> bodies() {
    List<Case> cases = new ArrayList<>();
    String chunked = post() + "Transfer-Encoding: chunked\r\n\r\n";
    malformed(cases, "two lengths", post() + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
    malformed(
        cases, "one length twice", post() + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd");
    malformed(cases, "negative length", post() + "Content-Length: -4\r\n\r\nabcd");
    malformed(cases, "signed length", post() + "Content-Length: +4\r\n\r\nabcd");
    malformed(cases, "list of lengths", post() + "Content-Length: 4, 4\r\n\r\nabcd");
    malformed(cases, "bad chunk size", chunked + "zz\r\nabcd\r\n0\r\n\r\n");
    malformed(cases, "huge chunk size", chunked + "ffffffffffffffff\r\nabcd\r\n0\r\n\r\n");
    malformed(
        cases,
        "long chunk extension",
        chunked + "4;" + "a".repeat(2_000) + "\r\nabcd\r\n0\r\n\r\n");
    malformed(
        cases, "long trailer", chunked + "4\r\nabcd\r\n0\r\nX: " + "a".repeat(2_000) + "\r\n\r\n");
    malformed(cases, "unknown expectation", post() + "Expect: 200-ok\r\nContent-Length: 0\r\n\r\n");
    for (String coding : List.of("xchunked", "gzip, chunked", "identity")) {
      cases.add(
          new Case(
              "transfer coding " + coding,
              post() + "Transfer-Encoding: " + coding + "\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
              501,
              "/not-implemented",
              true));
    }
    malformed(
        cases,
        "chunks not last",
        post() + "Transfer-Encoding: chunked, identity\r\n\r\n4\r\nabcd\r\n0\r\n\r\n");
    // RFC 9112 6.3: chunks win and the connection ends, so nothing can hide behind the length.
    cases.add(
        new Case(
            "length and chunks",
            post()
                + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"
                + GET
                + "\r\n",
            400,
            "/malformed-csr",
            true));
    cases.add(
        new Case(
            "compressed body",
            post() + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
            415,
            "/unsupported-media-type",
            false));
    cases.add(
        new Case(
            "more than was announced",
            post() + "Content-Length: 3\r\n\r\nabcGET",
            400,
            "/malformed-csr",
            true));
    cases.add(
        new Case(
            "endless tiny chunks",
            chunked + "1\r\na\r\n".repeat(70_000) + "0\r\n\r\n",
            413,
            "/body-too-large",
            true));
    return cases;
  }

  @TestFactory
  Stream<DynamicTest> head_thatIsNoRequest_problem() {
    return tests(heads());
  }

  @TestFactory
  Stream<DynamicTest> body_thatIsFramedAmbiguously_problem() {
    return tests(Stream.concat(bodies().stream(), readLate().stream()).toList());
  }

  private static Stream<DynamicTest> tests(List<Case> cases) {
    return cases.stream()
        .map(
            c ->
                DynamicTest.dynamicTest(
                    c.title(),
                    () -> {
                      RawHttp.Reply reply =
                          c.isClosed() ? sendLast(c.request()) : send(c.request());

                      reply.isProblem(c.status(), c.type());
                      assertThat(reply.isClosed()).as(reply.toString()).isEqualTo(c.isClosed());
                    }));
  }

  @Test
  void expectContinue_withoutCredential_refusedWithoutAskingForTheBody() {
    RawHttp.Reply reply =
        sendLast(anonymous() + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");

    reply.isProblem(401, "/unauthenticated");
    assertThat(reply.isClosed()).isTrue();
  }

  @Test
  void expectContinue_withCredential_asksForTheBody() {
    RawHttp.Reply reply = send(post() + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");

    assertThat(reply.status()).isEqualTo(100);
  }

  @Test
  void refusedBody_isReadToItsEnd_connectionServesOn() {
    String unauthenticated = anonymous() + "Content-Length: 40000\r\n\r\n" + "a".repeat(40_000);

    RawHttp.Reply reply = send(unauthenticated + GET + "\r\n");

    assertThat(reply.status()).isEqualTo(401);
    assertThat(reply.text()).contains("HTTP/1.1 200 ");
    assertThat(reply.isClosed()).isFalse();
  }

  @Test
  void plainPort_errors_areProblemsToo() {
    for (String path : List.of("/", "/v1/profiles", "/issuers/nobody.cer", "/crl/x.crl")) {
      RawHttp.send(
              TRIAL.trial().plain(0),
              null,
              "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n",
              PATIENCE)
          .isProblem(404, "/not-found");
    }
    RawHttp.send(TRIAL.trial().plain(0), null, "GARBAGE\r\n\r\n", PATIENCE)
        .isProblem(400, "/malformed-request");
  }

  /** Tomcat uses what served the connection before again; no trace of that may be left. */
  @Test
  void malformedRequest_afterOneWithoutVersion_answeredWithAHead() {
    URI plain = TRIAL.trial().plain(0);
    for (int round = 0; round < 10; round++) {
      RawHttp.send(plain, null, "GET /crl/x.crl\r\n", PATIENCE);
      RawHttp.send(plain, null, "GARBAGE\r\n\r\n", PATIENCE).isProblem(400, "/malformed-request");
    }
  }

  @Test
  void plainHttp_onTheHttpsPort_refused() {
    RawHttp.Reply reply = RawHttp.send(node(), null, GET + "\r\n", END_WITHIN);

    // Tomcat's own words, from below HTTP: the one answer that is no problem (REST.md).
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.isClosed()).isTrue();
    assertThat(reply.text()).doesNotContain("Tomcat");
  }
}
