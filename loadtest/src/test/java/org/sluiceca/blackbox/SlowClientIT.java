package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Clients that stop in the middle, or send a byte now and then, are cut off in time. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class SlowClientIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** The service's limit is 10 s; Tomcat's own would be 20. */
  private static final Duration CUT_WITHIN = Duration.ofSeconds(18);

  /** What drips would never be cut by a limit that each octet starts again. */
  private static final Duration DRIP_CUT_WITHIN = Duration.ofSeconds(60);

  private static final long DRIP_MILLIS = 500;

  /** What is sent at once, and what then drips, if anything. */
  private record Slowness(String title, String atOnce, boolean isDripping, boolean isTls) {
    Slowness(String title, String atOnce, boolean isDripping) {
      this(title, atOnce, isDripping, true);
    }
  }

  /** How long the node bore a client: until it answered or cut, and until it had cut. */
  private record Cut(Slowness slow, Duration answered, Duration closed) {
    String title() {
      return slow.title();
    }
  }

  /** The beginning of a TLS ClientHello: handshake record, 255 bytes long. */
  private static final String HELLO = "\u0016\u0003\u0001\u0000\u00ff\u0001\u0000\u0000";

  @Test
  void slowRequest_isCutOffInTime() throws Exception {
    String token = TRIAL.trial().read("enroll.token").strip();
    String head =
        "POST /v1/certificates?profile=tls-server HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer "
            + token
            + "\r\nContent-Type: application/pkcs10\r\n";
    List<Slowness> all =
        List.of(
            new Slowness("headers that stop", head, false),
            new Slowness("a body that stops", head + "Content-Length: 1000\r\n\r\n0", false),
            new Slowness("a body that drips", head + "Content-Length: 1000\r\n\r\n0", true),
            new Slowness(
                "chunks that drip", head + "Transfer-Encoding: chunked\r\n\r\n3e8\r\n0", true),
            new Slowness("headers that drip", head + "X-Drip: ", true),
            new Slowness(
                "a body that drips after 401",
                "POST /v1/certificates?profile=tls-server HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/pkcs10\r\nContent-Length: 1000\r\n\r\n0",
                true),
            new Slowness("a handshake that stops", HELLO, false, false),
            new Slowness("a handshake that drips", HELLO, true, false),
            new Slowness("a connection that says nothing", "", false, false),
            new Slowness("a session that says nothing", "", false));

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Cut>> cuts =
          threads.invokeAll(
              all.stream().<Callable<Cut>>map(slow -> () -> timeUntilCut(slow)).toList());
      for (Future<Cut> cut : cuts) {
        assertCutInTime(cut);
      }
    }
    // No other client was disturbed.
    TRIAL.trial().enroller().get("/v1/profiles").is(200);
  }

  private static void assertCutInTime(Future<Cut> future)
      throws InterruptedException, ExecutionException {
    Cut cut = future.get();
    Evidence.note(
        "%s: answered or cut after %s, closed after %s"
            .formatted(
                cut.title(), Evidence.millis(cut.answered()), Evidence.millis(cut.closed())));
    Duration longest = cut.slow().isDripping() ? DRIP_CUT_WITHIN : CUT_WITHIN;
    assertThat(cut.answered()).as(cut.title()).isLessThanOrEqualTo(longest);
    assertThat(cut.closed()).as(cut.title()).isLessThanOrEqualTo(longest);
  }

  /** How long the node bears this client; more than the limit if it bears it still. */
  private static Cut timeUntilCut(Slowness slow) throws IOException, InterruptedException {
    URI node = TRIAL.trial().https(0);
    Duration answered = null;
    Path root = slow.isTls() ? TRIAL.trial().data().resolve("root.pem") : null;
    long start;
    try (Socket socket = RawHttp.open(node, root)) {
      CountDownLatch over = new CountDownLatch(1);
      if (socket instanceof SSLSocket tls) {
        tls.startHandshake();
      }
      start = System.nanoTime();
      socket.getOutputStream().write(slow.atOnce().getBytes(StandardCharsets.ISO_8859_1));
      if (slow.isDripping()) {
        Thread.ofVirtual().start(() -> drip(socket, over));
      }
      socket.setSoTimeout((int) DRIP_CUT_WITHIN.plusSeconds(2).toMillis());
      try {
        // An answer (408, 400, 401), and then the end of the connection.
        if (socket.getInputStream().read() >= 0) {
          answered = since(start);
        }
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // Reset by the node, or our own patience is over: the time shows which.
      } finally {
        over.countDown();
      }
    }
    Duration closed = since(start);
    return new Cut(slow, answered == null ? closed : answered, closed);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private static void drip(Socket socket, CountDownLatch over) {
    try {
      while (!over.await(DRIP_MILLIS, TimeUnit.MILLISECONDS)) {
        socket.getOutputStream().write('0');
        socket.getOutputStream().flush();
      }
    } catch (IOException e) {
      // The node has cut it: what the test wants.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
