package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Connections that are kept open on the plain port end neither CRLs nor OCSP. */
@ResourceLock(TrialExtension.ONE_NODE)
class PlainConnectionsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** The port keeps 256. */
  private static final int KEPT = 400;

  private static final int FETCHES = 10;
  private static final int ANSWER_MILLIS = 30_000;
  private static final String ISSUER = "/issuers/issuing.cer HTTP/1.1\r\nHost: a\r\n";

  private static Socket open(String request) throws IOException {
    Socket socket = RawHttp.open(TRIAL.trial().plain(0), null);
    socket.setSoTimeout(ANSWER_MILLIS);
    send(socket, request);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(Api.ascii(text));
    socket.getOutputStream().flush();
  }

  /** Fetches a CRL on a connection of its own; 0 if the node closed it. */
  private static int fetch() {
    RawHttp.Reply reply =
        RawHttp.send(
            TRIAL.trial().plain(0),
            null,
            "HEAD /crl/issuing.crl HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            Duration.ofSeconds(5));
    return reply.text().isEmpty() ? 0 : reply.status();
  }

  private static List<Integer> fetches() {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < FETCHES; i++) {
      statuses.add(fetch());
    }
    return statuses;
  }

  @Test
  void crls_while400ConnectionsAreKept_allFetched() throws IOException {
    List<Socket> kept = new ArrayList<>();
    try (Socket early = open("GET " + ISSUER)) {
      for (int i = 0; i < KEPT; i++) {
        Socket socket = open("HEAD " + ISSUER + "\r\n");
        assertThat(socket.getInputStream().read()).as("connection " + i).isEqualTo('H');
        kept.add(socket);
      }

      assertThat(fetches()).containsOnly(200);

      // In the midst of its request: it was not closed for those that rested.
      send(early, "\r\n");
      assertThat(early.getInputStream().read()).isEqualTo('H');
    } finally {
      close(kept);
    }
  }

  @Test
  void crls_while400ConnectionsNeverSendARequest_allFetched() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < KEPT; i++) {
        silent.add(open(""));
      }
      Poll.until(
          "those that sent nothing count as idle", Duration.ofSeconds(10), () -> fetch() == 200);

      assertThat(fetches()).containsOnly(200);
    } catch (SocketException e) {
      throw new AssertionError("the node took no connection", e);
    } finally {
      close(silent);
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
