package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** More requests that stall than may wait: what is too much is cut at once, others are served. */
@ResourceLock(TrialExtension.ONE_NODE)
class StalledRequestsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** PartialInputs.MAX. */
  private static final int HEADS_MAX = 128;

  /** ConnectionBudget.anonymousBodies of the least number of requests. */
  private static final int ANONYMOUS_BODIES_MAX = 24;

  private static final int TOO_MANY = 12;
  private static final int HANDSHAKES_AT_ONCE = 8;
  private static final int LATER_REQUESTS = 5;

  /** The node bears for 10 s who is not too much: by then all would be cut. */
  private static final Duration CUT_WITHIN = Duration.ofSeconds(60);

  /** How the node has treated a connection by the time that those which are too much are cut. */
  private enum Treatment {
    BORNE,
    ANSWERED,
    ANSWERED_AND_CLOSED,
    CLOSED
  }

  /** A connection, read until it ends. */
  private static final class Stalled {
    private final Socket socket;
    private volatile String answer = "";
    private volatile boolean isClosed;

    Stalled(Socket socket) {
      this.socket = socket;
    }

    void read() {
      StringBuilder all = new StringBuilder();
      try {
        byte[] some = new byte[4_096];
        for (int read = socket.getInputStream().read(some);
            read >= 0;
            read = socket.getInputStream().read(some)) {
          answer = all.append(new String(some, 0, read, StandardCharsets.ISO_8859_1)).toString();
        }
      } catch (IOException e) {
        // Reset: closed as well.
      } finally {
        isClosed = true;
      }
    }

    Treatment treatment() {
      boolean wasClosed = isClosed;
      if (answer.isEmpty()) {
        return wasClosed ? Treatment.CLOSED : Treatment.BORNE;
      }
      assertThat(answer).startsWith("HTTP/1.1 401 ").contains("/unauthenticated");
      return wasClosed ? Treatment.ANSWERED_AND_CLOSED : Treatment.ANSWERED;
    }
  }

  @Test
  void partialHeads_beyondTheirLimit_oldestCut() throws Exception {
    List<Treatment> treatments = stall(HEADS_MAX + TOO_MANY, "GET /v1/profiles HTTP/1.1\r\nX: ");

    assertThat(treatments.stream().filter(t -> t != Treatment.BORNE)).hasSize(TOO_MANY);
    assertThat(treatments.subList(HEADS_MAX, treatments.size())).containsOnly(Treatment.BORNE);
  }

  /**
   * Refused by their heads: the bodies are read only so that the answer arrives, and it leaves
   * first.
   */
  @Test
  void unwantedBodies_beyondTheirLimit_allAnsweredAndTheOldestCut() throws Exception {
    List<Treatment> treatments =
        stall(
            ANONYMOUS_BODIES_MAX + TOO_MANY,
            "POST /v1/certificates?profile=tls-server HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/pkcs10\r\nContent-Length: 1000\r\n\r\n0");

    assertThat(treatments).isSubsetOf(Treatment.ANSWERED, Treatment.ANSWERED_AND_CLOSED);
    assertThat(treatments.stream().filter(t -> t == Treatment.ANSWERED_AND_CLOSED))
        .hasSizeGreaterThanOrEqualTo(TOO_MANY);
  }

  /**
   * Sends the same on this many connections; returns how each ends, in the order of sending. Who is
   * not too much is looked at when the others are cut, and some requests later.
   */
  private static List<Treatment> stall(int count, String request) throws Exception {
    Path root = TRIAL.trial().data().resolve("root.pem");
    List<Socket> sockets = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        connect(count, root, sockets);
        List<Stalled> stalled = sockets.stream().map(Stalled::new).toList();
        stalled.forEach(one -> threads.execute(one::read));
        // After all handshakes: the first must not have stalled for long when the last begins.
        send(request, sockets.subList(0, count - TOO_MANY));
        letTheNodeSeeThem();
        send(request, sockets.subList(count - TOO_MANY, count));
        Poll.until(
            "what is too much is cut",
            CUT_WITHIN,
            () -> stalled.stream().filter(one -> one.isClosed).count() >= TOO_MANY);
        letTheNodeSeeThem();
        return stalled.stream().map(Stalled::treatment).toList();
      } finally {
        sockets.forEach(StalledRequestsIT::closeQuietly);
      }
    }
  }

  private static void send(String request, List<Socket> to) throws IOException {
    for (Socket socket : to) {
      socket.getOutputStream().write(Api.ascii(request));
      socket.getOutputStream().flush();
    }
  }

  /**
   * A selector that finds many ready at once tells them in no order. Who asks and is answered after
   * them, and asks again, comes in a later look than all of them.
   */
  private static void letTheNodeSeeThem() throws Exception {
    for (int i = 0; i < LATER_REQUESTS; i++) {
      TRIAL.trial().enroller().get("/v1/profiles").is(200);
    }
  }

  /** That number, with a few handshakes at once. */
  private static void connect(int count, Path root, List<Socket> to) throws Exception {
    try (ExecutorService few = Executors.newFixedThreadPool(HANDSHAKES_AT_ONCE)) {
      Callable<Socket> one =
          () -> {
            Socket socket = RawHttp.open(TRIAL.trial().https(0), root);
            ((SSLSocket) socket).startHandshake();
            return socket;
          };
      for (Future<Socket> socket : few.invokeAll(Collections.nCopies(count, one))) {
        to.add(socket.get());
      }
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The node has cut it: there is nothing to say goodbye to.
    }
  }
}
