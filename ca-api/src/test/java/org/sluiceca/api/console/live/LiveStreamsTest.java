package org.sluiceca.api.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.console.Assets;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.Readings;
import org.sluiceca.api.console.live.feed.RequesterTally;
import org.sluiceca.api.console.live.nodes.NodeRowsForTests;
import org.sluiceca.api.console.live.nodes.NodesFeed;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.core.testkit.Revocable;
import org.springframework.mock.web.DelegatingServletOutputStream;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Which streams a node has, and until when. */
class LiveStreamsTest {

  private static final Session SESSION =
      new Session(Tokens.hash("x"), "x", Readings.OFFICER, Instant.EPOCH, Instant.EPOCH);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RequesterTally tally = new RequesterTally();
  private Runnable whileRead = () -> {};
  private boolean isBare = true;
  private final LiveFeed feed = new LiveFeed(this::read, tally);
  private final NodesFeed nodes = NodeRowsForTests.away(feed);
  private final LiveStreams streams =
      new LiveStreams(
          feed, nodes, session -> session.certificate().isPresent() || isBare, 4, registry);

  private Reading read() {
    whileRead.run();
    return Readings.reading(
        1, Readings.counts(0, 0, Map.of(), Map.of()), Map.of(), Readings.token("t", 0, 0, 0));
  }

  @AfterEach
  void close() {
    streams.stop();
    nodes.close();
    feed.close();
  }

  /** A response that can be written later, as Tomcat's; a mock's cannot. */
  private static final class Response extends MockHttpServletResponse {

    @Override
    public ServletOutputStream getOutputStream() {
      return new DelegatingServletOutputStream(OutputStream.nullOutputStream()) {
        @Override
        public void setWriteListener(WriteListener listener) {
          // Nothing is written here.
        }
      };
    }
  }

  private boolean open(MockHttpServletResponse response) throws Exception {
    return open(SESSION, response);
  }

  private boolean open(Session session, MockHttpServletResponse response) throws Exception {
    MockHttpServletRequest request =
        new MockHttpServletRequest("GET", "/console/live/events") {
          @Override
          public AsyncContext startAsync() {
            return startAsync(this, response);
          }
        };
    request.setAsyncSupported(true);
    return streams.open(session, request, response);
  }

  private double places() {
    return registry.get("ca.console.streams").gauge().value();
  }

  @Test
  void open_moreThanASessionMayHave_refused() throws Exception {
    streams.start();
    // A requester alone gets half of the places.
    assertThat(open(new Response())).isTrue();
    assertThat(open(new Response())).isTrue();

    assertThat(open(new Response())).isFalse();
    assertThat(places()).isEqualTo(2);
    streams.stop();
    assertThat(places()).isZero();
  }

  /** A stream that comes between the two would hold up a node that leaves for minutes. */
  @Test
  void open_whileTheNodeBeginsToLeave_endsAtOnce() throws Exception {
    streams.start();
    whileRead = streams::stop;

    boolean _ = open(new Response());

    assertThat(places()).isZero();
    assertThat(open(new Response())).isFalse();
  }

  /** Nothing would write to it, and nothing would end it. */
  @Test
  void events_askedForByHead_takesNoPlace() throws Exception {
    streams.start();
    LiveController controller =
        new LiveController(feed, nodes, streams, new Pages(new Assets(), "node-0"));
    Response response = new Response();

    controller.events(new MockHttpServletRequest("HEAD", "/console/live/events"), response);

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(response.getContentType()).startsWith("text/event-stream");
    assertThat(places()).isZero();
  }

  /** nginx and others would keep events until they fill a buffer. */
  @Test
  void open_stream_isNotForBuffers() throws Exception {
    streams.start();
    Response response = new Response();
    assertThat(open(response)).isTrue();

    assertThat(response.getContentType()).startsWith("text/event-stream");
    assertThat(response.getHeader("X-Accel-Buffering")).isEqualTo("no");
  }

  /** The same session is worth nothing on a connection without the certificate. */
  @Test
  void check_sessionOfACertificate_eachConnectionForItself() throws Exception {
    streams.start();
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(
                        new Revocable(1)
                            .silent(Instant.parse("2027-01-01T00:00:00Z"))
                            .certificate()
                            .orElseThrow()
                            .encoded()));
    Session with =
        new Session(
            SESSION.id(),
            "x",
            Readings.OFFICER,
            Instant.EPOCH,
            Instant.EPOCH,
            Optional.of(certificate));
    assertThat(open(with, new Response())).isTrue();
    assertThat(open(new Response())).isTrue();
    streams.check();
    assertThat(places()).isEqualTo(2);

    isBare = false;
    streams.check();

    assertThat(places()).isEqualTo(1);
  }
}
