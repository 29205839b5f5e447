package org.sluiceca.api.http.connector;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.edge.BodyLimit;
import org.sluiceca.api.http.edge.BodyTooSlowException;
import org.sluiceca.hsm.testkit.Await;

/** Tomcat with this endpoint, without TLS: which connection makes room for another. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EvictionTest {

  private static final int CONNECTIONS = 8;
  private static final int READ_MILLIS = 30_000;
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String SLOW_POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";

  /** Marks a request as one with a credential, as authentication does. */
  private static final String KNOWN = "X-Known";

  @TempDir Path folder;

  private final Tomcat tomcat = new Tomcat();
  private final List<Socket> open = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BoundedProtocol protocol = new BoundedProtocol();

  private void start(HttpSettings settings, Consumer<BoundedProtocol> more) throws Exception {
    protocol.setMaxConnections(CONNECTIONS);
    protocol.limit(settings);
    protocol.setExecutor(threads);
    more.accept(protocol);
    Connector connector = new Connector(protocol);
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setBaseDir(folder.toString());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    FilterDef limit = new FilterDef();
    limit.setFilterName("bodies");
    limit.setFilter(new BodyLimit((request, response, status) -> {}, settings));
    context.addFilterDef(limit);
    FilterMap all = new FilterMap();
    all.setFilterName("bodies");
    all.addURLPattern("/*");
    context.addFilterMap(all);
    Tomcat.addServlet(context, "reader", new Reader()).addMapping("/");
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : open) {
      socket.close();
    }
    tomcat.stop();
    tomcat.destroy();
    threads.shutdownNow();
  }

  private Socket connect(String request) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
    socket.setSoTimeout(READ_MILLIS);
    open.add(socket);
    send(socket, request);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The first line of an answer; empty if the connection was closed without one. */
  private static String status(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    try {
      int octet = socket.getInputStream().read();
      while (octet >= 0 && octet != '\n') {
        text.append((char) octet);
        octet = socket.getInputStream().read();
      }
      // The rest of a small answer is in the same segment.
      socket.getInputStream().skipNBytes(socket.getInputStream().available());
    } catch (SocketException e) {
      return "";
    }
    return text.toString().strip();
  }

  private static void assertOk(Socket socket) throws IOException {
    assertThat(status(socket)).startsWith("HTTP/1.1 200");
  }

  /** A client has its answer before the port has sorted its connection in. */
  private void awaitKept(int count) {
    Await.until("connections are kept", () -> protocol.kept() == count);
  }

  /** Tomcat's own thread sleeps for a minute where nothing is to be read: it has to be woken. */
  @Test
  void kept_itsTimeIsOver_closed() throws Exception {
    start(HttpSettings.defaults(), port -> port.setKeepAliveTimeout(100));
    Socket kept = connect(GET);
    assertOk(kept);

    assertThat(kept.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void newConnection_allKept_longestIdleMakesRoom() throws Exception {
    start(HttpSettings.defaults(), port -> {});
    List<Socket> kept = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      kept.add(connect(GET));
      assertOk(kept.getLast());
      awaitKept(i + 1);
    }
    // The first is not the longest-idle any more.
    send(kept.getFirst(), GET);
    assertOk(kept.getFirst());
    awaitKept(CONNECTIONS);

    assertOk(connect(GET));

    assertThat(status(kept.get(1))).isEmpty();
    send(kept.getFirst(), GET);
    assertOk(kept.getFirst());
    assertThat(protocol.evicted()).isEqualTo(1);
    assertThat(protocol.refused()).isZero();
  }

  /** Five times as many as fit, each kept open: the newest is served every time. */
  @Test
  void newConnections_manyMoreThanFit_eachServed() throws Exception {
    start(HttpSettings.defaults(), port -> {});

    for (int i = 0; i < 5 * CONNECTIONS; i++) {
      assertOk(connect(GET));
    }

    assertThat(protocol.refused()).isZero();
  }

  @Test
  void newConnection_othersInTheMidstOfARequest_keptOneMakesRoom() throws Exception {
    start(HttpSettings.defaults(), port -> {});
    List<Socket> heads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS - 1; i++) {
      heads.add(connect("GET / HTTP/1.1\r\nHost: a\r\n"));
    }
    Socket kept = connect(GET);
    assertOk(kept);
    awaitKept(1);

    assertOk(connect(GET));

    assertThat(status(kept)).isEmpty();
    for (Socket head : heads) {
      send(head, "\r\n");
      assertOk(head);
    }
  }

  @Test
  void newConnection_allSilent_oldestMakesRoomAfterASecond() throws Exception {
    start(HttpSettings.defaults(), port -> {});
    for (int i = 0; i < CONNECTIONS; i++) {
      connect("");
    }

    Await.until(
        "a new connection is served",
        () -> {
          try {
            return status(connect(GET)).startsWith("HTTP/1.1 200");
          } catch (IOException e) {
            return false;
          }
        });

    assertThat(status(open.getFirst())).isEmpty();
  }

  @Test
  void connectionsPerAddress_oneMore_refused() throws Exception {
    HttpSettings two =
        new HttpSettings(Duration.ofSeconds(10), Duration.ofSeconds(5), 256, 0, 256, 2, List.of());
    start(two, port -> {});
    assertOk(connect(GET));
    assertOk(connect(GET));

    assertThat(closedOrRefused()).isTrue();

    assertThat(protocol.refused()).isEqualTo(1);
    assertThat(protocol.evicted()).isZero();
  }

  private boolean closedOrRefused() throws IOException {
    try {
      return status(connect(GET)).isEmpty();
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void slowBodies_tooManyWithoutCredential_oldestAnsweredAtOnce() throws Exception {
    // Their time is longer than the reads below: an answer comes because there are too many.
    Duration longer = Duration.ofMillis(READ_MILLIS).plusSeconds(15);
    start(new HttpSettings(longer, longer, 0, 2, 256, 0, List.of()), port -> {});
    Socket known = connect(SLOW_POST.replace("Host:", KNOWN + ": a\r\nHost:"));
    awaitBodies(1);
    Socket oldest = connect(SLOW_POST);
    awaitBodies(2);
    Socket second = connect(SLOW_POST);
    awaitBodies(3);

    Socket third = connect(SLOW_POST);

    assertThat(status(oldest)).startsWith("HTTP/1.1 408");
    for (Socket others : List.of(known, second, third)) {
      send(others, "123456789");
      assertOk(others);
    }
    assertThat(protocol.bodiesCut()).isEqualTo(1);
  }

  /** An octet now and then starts no time again. */
  @Test
  void slowBody_dripsWithoutCredential_endsInTime() throws Exception {
    start(HttpSettings.defaults(), port -> {});
    Socket socket = connect("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
    socket.setSoTimeout(200);
    long start = System.nanoTime();
    int first = -1;
    while (first < 0 && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(60)) {
      send(socket, "0");
      try {
        first = socket.getInputStream().read();
      } catch (SocketTimeoutException e) {
        // No answer yet: the next octet.
      }
    }

    assertThat(first).isEqualTo('H');
    assertThat(status(socket)).startsWith("TTP/1.1 408");
  }

  @Test
  void expectContinue_askedForAndServed() throws Exception {
    start(HttpSettings.defaults(), port -> port.setContinueResponseTiming("onRead"));
    Socket socket =
        connect("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n");
    assertThat(status(socket)).startsWith("HTTP/1.1 100");

    send(socket, "123456789");

    assertOk(socket);
  }

  /** As the port knows it: which body is the oldest is settled when the next one comes. */
  private void awaitBodies(int count) {
    Await.until("bodies are waited for", () -> protocol.bodiesWaiting() == count);
  }

  private static final class Reader extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setContentLength(0);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getHeader(KNOWN) != null) {
        BodyLimit.authenticated(request, "alice");
      }
      try {
        response.setContentLength(0);
        assertThat(request.getInputStream().readAllBytes()).isNotEmpty();
      } catch (BodyTooSlowException e) {
        response.setStatus(HttpServletResponse.SC_REQUEST_TIMEOUT);
      }
    }
  }
}
