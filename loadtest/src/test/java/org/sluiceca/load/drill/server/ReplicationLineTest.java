package org.sluiceca.load.drill.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** What is held never arrives once the line is cut. */
class ReplicationLineTest {

  /** Ends a hang. */
  private static final int ARRIVES_MILLIS = 60_000;

  /** What must not come is waited for so long. */
  private static final int HELD_MILLIS = 300;

  @Test
  void relay_heldAndCut_whatWasHeldIsLost() throws IOException {
    try (ServerSocket primary = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ReplicationLine line = ReplicationLine.open(primary.getLocalPort());
        Socket standby = new Socket(InetAddress.getLoopbackAddress(), line.port());
        Socket sender = primary.accept()) {
      standby.setSoTimeout(ARRIVES_MILLIS);
      sender.getOutputStream().write('a');
      assertThat(standby.getInputStream().read()).isEqualTo('a');

      line.hold();
      sender.getOutputStream().write('b');
      standby.setSoTimeout(HELD_MILLIS);
      assertThatExceptionOfType(SocketTimeoutException.class)
          .isThrownBy(() -> standby.getInputStream().read());

      line.cut();
      standby.setSoTimeout(ARRIVES_MILLIS);
      assertThat(standby.getInputStream().read()).isEqualTo(-1);
    }
  }
}
