package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** TLS records that never become whole: the cheapest way to make a server hold buffers. */
@ResourceLock(TrialExtension.ONE_NODE)
class PartialRecordIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** RFC 8446 5.1: application data of 16 KB, of which only one octet follows now and then. */
  private static final byte[] RECORD_BEGUN = {0x17, 0x03, 0x03, 0x40, 0x00};

  /** RFC 8446 5.1: the first octet of a handshake record. */
  private static final byte[] HANDSHAKE_BEGUN = {0x16};

  /** PartialInputs.MAX. */
  private static final int PARTIAL_MAX = 128;

  private static final int CONNECTIONS = 300;

  /** Of the 10 s that it may take; who dripped without an end would not be cut at all. */
  private static final Duration CUT_WITHIN = Duration.ofSeconds(60);

  @Test
  void handshakesOfOneOctet_beyondTheirLimit_cutAtOnce() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        Socket socket = new Socket(node().getHost(), node().getPort());
        sockets.add(socket);
        socket.getOutputStream().write(HANDSHAKE_BEGUN);
      }

      int atMost = CONNECTIONS - PARTIAL_MAX;
      Poll.until(
          "the oldest are cut",
          Duration.ofSeconds(7),
          () -> sockets.stream().filter(PartialRecordIT::isCut).count() >= atMost);
      TRIAL.trial().enroller().get("/v1/profiles").is(200);
    } finally {
      close(sockets);
    }
  }

  /** Each octet starts Tomcat's own timeout again; the whole record may take 10 s. */
  @Test
  void recordThatDrips_cutAfterTenSeconds() throws Exception {
    Path root = TRIAL.trial().data().resolve("root.pem");
    try (Socket raw = new Socket(node().getHost(), node().getPort());
        SSLSocket tls =
            (SSLSocket)
                Api.context(root)
                    .getSocketFactory()
                    .createSocket(raw, node().getHost(), node().getPort(), false)) {
      tls.startHandshake();
      raw.getOutputStream().write(RECORD_BEGUN);
      long start = System.nanoTime();

      Poll.until("the connection is cut", CUT_WITHIN, () -> isCutAfterOneMore(raw));

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(8));
    }
    TRIAL.trial().enroller().get("/v1/profiles").is(200);
  }

  private static URI node() {
    return TRIAL.trial().https(0);
  }

  private static boolean isCutAfterOneMore(Socket socket) {
    try {
      socket.getOutputStream().write(1);
    } catch (IOException e) {
      return true;
    }
    return isCut(socket);
  }

  /** Whatever the node still says, a closed connection ends. */
  private static boolean isCut(Socket socket) {
    try {
      socket.setSoTimeout(1);
      byte[] some = new byte[4_096];
      while (socket.getInputStream().read(some) >= 0) {
        // Session tickets, an alert.
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
