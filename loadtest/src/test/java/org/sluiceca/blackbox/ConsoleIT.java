package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console of a node as a browser without scripts sees it, and its streams as a script does. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ConsoleIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String SESSION = "__Host-sluice-console";
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([\\w-]+)\"");
  private static final String FORM = "application/x-www-form-urlencoded";

  /** A stream looks for its session every 5 s, and has an event a second. */
  private static final int EVENTS_MAX = 60;

  /** Sessions of a requester, and streams of a session, that a node allows. */
  private static final int SESSIONS = 10;

  private static final int STREAMS_OF_SESSION = 4;

  /** A requester alone gets half of a node's 32 streams. */
  private static final int STREAMS_OF_REQUESTER = 16;

  private static Api browser() {
    return TRIAL.trial().api(0, "admin").anonymous();
  }

  private static String token(String requester, String role) {
    return registered(requester, role).path("token").asString();
  }

  private static JsonNode registered(String requester, String role) {
    return TRIAL
        .trial()
        .api(0, "admin")
        .postJson("/v1/credentials", Map.of("requester", requester, "roles", List.of(role)))
        .is(201)
        .json();
  }

  private static String cookie(Answer answer, String name) {
    return answer.headers("Set-Cookie").stream()
        .filter(header -> header.startsWith(name + "=") && !header.contains("Max-Age=0"))
        .map(header -> header.split(";", 2)[0])
        .findFirst()
        .orElse("");
  }

  private static String csrf(Answer page) {
    Matcher matcher = CSRF.matcher(page.text());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private static Answer signIn(String token) {
    Answer page = browser().get("/console/sign-in").is(200);
    String body =
        "csrf=" + csrf(page) + "&token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    return browser()
        .with("Cookie", cookie(page, "__Host-sluice-sign-in"))
        .post("/console/sign-in", FORM, Api.ascii(body));
  }

  private static Api signedIn(String token) {
    return browser().with("Cookie", cookie(signIn(token).is(303), SESSION));
  }

  @Test
  void signIn_trialToken_livePageAndOut() throws IOException {
    Answer answer =
        signIn(Files.readString(TRIAL.trial().data().resolve("admin.token")).strip()).is(303);
    assertThat(answer.header("Location")).isEqualTo("/console/live");
    assertThat(answer.headers("Set-Cookie"))
        .anySatisfy(
            header ->
                assertThat(header)
                    .contains(SESSION + "=", "; Secure", "; HttpOnly", "; SameSite=Strict"));
    Api browser = browser().with("Cookie", cookie(answer, SESSION));

    Answer live = browser.get("/console/live").is(200);

    assertThat(live.mediaType()).isEqualTo("text/html");
    assertThat(live.text())
        .contains("Arrival", "Admission", "Lanes", "Window", "HSM", "Issued", "interactive")
        .doesNotContain("<script>", "style=", "onclick", "${");
    assertThat(live.header("Content-Security-Policy")).startsWith("default-src 'none';");
    Matcher files =
        Pattern.compile("(?:href|src)=\"(/console/assets/[^\"]+)\"").matcher(live.text());
    int found = 0;
    while (files.find()) {
      Answer file = browser().get(files.group(1)).is(200);
      assertThat(file.header("Cache-Control")).contains("immutable");
      found++;
    }
    assertThat(found).isGreaterThanOrEqualTo(6);
    browser.post("/console/sign-out", FORM, Api.ascii("csrf=" + csrf(live))).is(303);
    assertThat(browser.get("/console/live").is(303).header("Location"))
        .isEqualTo("/console/sign-in?to=%2Fconsole%2Flive");
  }

  /** Refusals and errors are pages, with the same headers. */
  @Test
  void refusals_arePagesWithTheHeaders() {
    Api auditor = signedIn(token("console-refused", "AUDITOR"));
    for (Answer refusal :
        List.of(
            auditor.get("/console/nowhere").is(404),
            auditor.post("/console/sign-out", FORM, Api.ascii("csrf=x")).is(403),
            auditor.post("/console/sign-out", Api.JSON, Api.ascii("{}")).is(415),
            auditor.post("/console/sign-out", FORM, new byte[70_000]).is(413),
            auditor.delete("/console/live").is(405))) {
      assertThat(refusal.mediaType()).isEqualTo("text/html");
      assertThat(refusal.header("Content-Security-Policy")).startsWith("default-src 'none';");
      assertThat(refusal.text()).doesNotContain("Exception");
    }
    assertThat(browser().get("/console//live").is(400).header("Content-Security-Policy"))
        .isNotEmpty();
    assertThat(
            browser()
                .with("Content-Encoding", "gzip")
                .post("/console/sign-in", FORM, Api.ascii("x"))
                .is(415)
                .header("Content-Security-Policy"))
        .isNotEmpty();
    // More parameters than Tomcat reads.
    assertThat(browser().get("/console/sign-in?" + "to=x&".repeat(25)).is(400).mediaType())
        .isEqualTo("text/html");
    // With a credential of the API, too, none of its pages is found by another way.
    Answer encoded = TRIAL.trial().api(0, "admin").get("/%63onsole/live/history").is(404);
    assertThat(encoded.header("Content-Security-Policy")).startsWith("default-src 'none';");
    assertThat(signIn("A".repeat(43)).is(401).text()).contains("unknown, expired or revoked");
    Api plain = Api.plain(TRIAL.trial().plain(0));
    assertThat(plain.get("/console/sign-in").status()).isEqualTo(404);
  }

  /** A connection with the stream of events open; it is read only where a test reads it. */
  private static final class Stream implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;

    Stream(Api browser) throws IOException {
      socket =
          Api.context(TRIAL.trial().data().resolve("root.pem"))
              .getSocketFactory()
              .createSocket(browser.base().getHost(), browser.base().getPort());
      socket.setSoTimeout(Math.toIntExact(Duration.ofSeconds(20).toMillis()));
      String request =
          "GET /console/live/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
              + "Cookie: "
              + browser.headers().get(1)
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    int status() throws IOException {
      return Integer.parseInt(in.readLine().split(" ", 3)[1]);
    }

    /** Reads on to the next event of this name. */
    JsonNode next(String name) throws IOException {
      String event = "";
      int events = 0;
      for (String line = in.readLine(); line != null && events < EVENTS_MAX; line = in.readLine()) {
        if (line.startsWith("event: ")) {
          events++;
          event = line.substring("event: ".length());
        } else if (line.startsWith("data: ") && event.equals(name)) {
          return JsonMapper.shared().readTree(line.substring("data: ".length()));
        }
      }
      throw new AssertionError("no event " + name + " after " + events + " others");
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What is enrolled while the page is open is seen on it, by requester for those who may. */
  @Test
  void events_moveWhileSomethingEnrolls() throws IOException {
    Api officer = signedIn(token("console-officer", "OFFICER"));
    try (Stream stream = new Stream(officer)) {
      assertThat(stream.status()).isEqualTo(200);
      stream.next("live");
      Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "live.example.com");
      List<String> requesters = List.of();
      // Others that use this trial may be seen as well.
      for (int i = 0; i < 20 && !requesters.contains("enroll"); i++) {
        TRIAL.trial().enroller().enroll("tls-server", csr.pemBytes()).is(201);
        JsonNode shares = stream.next("live").at("/view/lists/shares");
        requesters = shares.valueStream().map(row -> row.at("/fields/name").asString()).toList();
      }
      assertThat(requesters).contains("enroll");
    }
    Answer history = officer.get("/console/live/history").is(200);
    assertThat(history.json().size()).isEqualTo(4);
    assertThat(history.json().get(0).size()).isPositive();
  }

  @Test
  void events_revokedToken_streamEnds() throws IOException {
    JsonNode credential = registered("console-revoked", "AUDITOR");
    Api auditor = signedIn(credential.path("token").asString());
    try (Stream stream = new Stream(auditor)) {
      assertThat(stream.status()).isEqualTo(200);
      stream.next("live");
      TRIAL
          .trial()
          .api(0, "admin")
          .delete("/v1/credentials/" + credential.path("id").asString())
          .is(204);

      auditor.get("/console/live").is(303);
      long since = System.nanoTime();
      stream.next("end");
      Duration took = Duration.ofNanos(System.nanoTime() - since);
      Evidence.note("the stream of a revoked token ended after " + Evidence.millis(took));
    }
    auditor.get("/console/live/events").is(401);
  }

  /** Browsers that read nothing hold places, and nothing else; and not those of others. */
  @Test
  void events_stalledBrowsers_boundedAndOthersAreServed() throws IOException {
    String token = token("console-stalled", "AUDITOR");
    List<Stream> open = new ArrayList<>();
    int refused = 0;
    try {
      for (int i = 0; i < SESSIONS; i++) {
        Api browser = signedIn(token);
        for (int j = 0; j <= STREAMS_OF_SESSION; j++) {
          Stream stream = new Stream(browser);
          if (stream.status() == 200) {
            open.add(stream);
          } else {
            refused++;
            stream.close();
          }
        }
      }
      assertThat(open).hasSizeBetween(STREAMS_OF_REQUESTER / 2, STREAMS_OF_REQUESTER);
      assertThat(refused).isEqualTo(SESSIONS * (STREAMS_OF_SESSION + 1) - open.size());
      try (Stream other = new Stream(signedIn(token("console-other", "AUDITOR")))) {
        assertThat(other.status()).isEqualTo(200);
        other.next("live");
      }
      Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "stalled.example.com");
      TRIAL.trial().enroller().enroll("tls-server", csr.pemBytes()).is(201);
    } finally {
      open.forEach(Stream::close);
    }
    // One sign-in: a requester has thirty a minute.
    Api browser = signedIn(token);
    // Their places are free again when the node has seen that they are gone.
    Poll.until(
        "the places of closed streams are free",
        Duration.ofSeconds(20),
        () -> {
          try (Stream again = new Stream(browser)) {
            return again.status() == 200;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The account page shows what a token allows, and not the token. */
  @Test
  void account_ofARequester_hasItsRolesAndNoToken() throws IOException {
    Path token = TRIAL.trial().data().resolve("enroll.token");
    Api requester = signedIn(Files.readString(token).strip());

    assertThat(requester.get("/console/account").is(200).text())
        .contains(">requester<", ">tls-server<")
        .doesNotContain(Files.readString(token).strip());
  }
}
