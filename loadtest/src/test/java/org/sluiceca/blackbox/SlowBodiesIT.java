package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Bodies that come octet by octet take no place that enrollment needs. */
@ResourceLock(TrialExtension.ONE_NODE)
class SlowBodiesIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final int ATTACKERS = 200;
  private static final int ENROLLMENTS = 60;
  private static final int HANDSHAKES_AT_ONCE = 8;

  /** Attackers that were cut and come again, each second: more would be a test of handshakes. */
  private static final int AGAIN_A_SECOND = 20;

  /** A calm p99 of a few milliseconds says nothing on a busy machine. */
  private static final Duration CALM_MIN = Duration.ofMillis(300);

  private static final int CALM_FACTOR = 3;

  private static final byte[] HEAD =
      Api.ascii(
          String.join(
              "\r\n",
              "POST /ocsp HTTP/1.1",
              "Host: localhost",
              "Content-Type: application/ocsp-request",
              "Content-Length: 200",
              "",
              ""));

  private static final byte[] OCTET = {0x30};

  @Test
  void enrollment_while200BodiesDrip_answeredAsEver() throws Exception {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "slow-bodies.example.com");
    Duration calm = p99(csr);

    AtomicInteger cut = new AtomicInteger();
    Duration attacked;
    try (Attack attack = new Attack(cut)) {
      attacked = p99(csr);
      assertThat(attack.isHeld()).as("the attack goes on").isTrue();
    }

    Evidence.note(
        "%d bodies of one octet a second: p99 of enrollments %s (calm %s), %d bodies cut"
            .formatted(ATTACKERS, Evidence.millis(attacked), Evidence.millis(calm), cut.get()));
    Duration limit = calm.compareTo(CALM_MIN) > 0 ? calm : CALM_MIN;
    assertThat(attacked).isLessThanOrEqualTo(limit.multipliedBy(CALM_FACTOR));
  }

  /** Fails unless all are answered 201. */
  private static Duration p99(Csr csr) {
    List<Duration> all = new ArrayList<>();
    for (int i = 0; i < ENROLLMENTS; i++) {
      long start = System.nanoTime();
      TRIAL.trial().enroller().enroll("tls-server", csr.der()).is(201);
      all.add(Duration.ofNanos(System.nanoTime() - start));
    }
    Collections.sort(all);
    return all.get((int) ((all.size() - 1) * 0.99));
  }

  /** Attackers that send an octet each second, and come again when they are cut. */
  private static final class Attack implements AutoCloseable {

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger cut;
    private final Thread drip;

    Attack(AtomicInteger cut) throws Exception {
      this.cut = cut;
      try (ExecutorService few = Executors.newFixedThreadPool(HANDSHAKES_AT_ONCE)) {
        Callable<Socket> one = Attack::open;
        for (Future<Socket> socket : few.invokeAll(Collections.nCopies(ATTACKERS, one))) {
          sockets.add(socket.get());
        }
      }
      drip = Thread.ofVirtual().start(this::drip);
    }

    private static Socket open() throws IOException {
      URI node = TRIAL.trial().https(0);
      Path root = TRIAL.trial().data().resolve("root.pem");
      Socket socket = RawHttp.open(node, root);
      socket.getOutputStream().write(HEAD);
      socket.getOutputStream().flush();
      return socket;
    }

    boolean isHeld() {
      return drip.isAlive();
    }

    private void drip() {
      try {
        while (!over.await(1, TimeUnit.SECONDS)) {
          int again = 0;
          for (int i = 0; i < sockets.size(); i++) {
            again += sends(sockets.get(i)) || again == AGAIN_A_SECOND ? 0 : comeAgain(i);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static boolean sends(Socket socket) {
      try {
        socket.getOutputStream().write(OCTET);
        socket.getOutputStream().flush();
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    private int comeAgain(int index) {
      cut.incrementAndGet();
      try {
        sockets.set(index, open()).close();
      } catch (IOException e) {
        // Refused: it tries again in a second.
      }
      return 1;
    }

    @Override
    public void close() throws IOException {
      over.countDown();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
