package org.sluiceca.load.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.WanPlan;

/**
 * Delay and rate as a client sees them. The least is exact. What a busy machine adds looks like a
 * delay that is taken twice by one round, but in a minute of rounds some are disturbed less.
 */
class ProxyWanTest {

  private static final int PATIENCE_MILLIS = 60_000;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private ServerSocket echo;

  @BeforeEach
  void listen() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::serve);
  }

  @AfterEach
  void end() throws IOException {
    echo.close();
    threads.shutdownNow();
  }

  private void serve() {
    try {
      while (true) {
        Socket client = echo.accept();
        threads.execute(() -> answer(client));
      }
    } catch (IOException e) {
      assertThat(echo.isClosed()).isTrue();
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException e) {
      assertThat(client.isClosed()).isTrue();
    }
  }

  private ProxyWan wan(double rttMillis, double mbit) {
    return new ProxyWan(new WanPlan(rttMillis, mbit, 200), echo.getLocalPort());
  }

  private static Socket connect(InetSocketAddress door) throws IOException {
    Socket socket = new Socket();
    socket.connect(door, PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Sends that number of bytes, and returns how long it took until all were back. */
  private double roundTrip(Socket socket, int bytes) throws IOException {
    long began = System.nanoTime();
    threads.execute(
        () -> {
          try {
            socket.getOutputStream().write(new byte[bytes]);
          } catch (IOException e) {
            assertThat(socket.isClosed()).isTrue();
          }
        });
    InputStream in = socket.getInputStream();
    assertThat(in.readNBytes(bytes)).hasSize(bytes);
    return (System.nanoTime() - began) / 1e6;
  }

  /** Rounds until one takes less than {@code below}; none may take less than {@code least}. */
  private static void assertTakes(double least, double below, Callable<Double> round)
      throws Exception {
    long began = System.nanoTime();
    double took = round.call();
    while (took >= below && (System.nanoTime() - began) / 1e6 < PATIENCE_MILLIS) {
      assertThat(took).isGreaterThanOrEqualTo(least);
      took = round.call();
    }
    assertThat(took).isGreaterThanOrEqualTo(least).isLessThan(below);
  }

  @Test
  void delay_firstAnswer_takesTwoRoundTrips_laterOnesOne() throws Exception {
    try (ProxyWan wan = wan(200, 100);
        Socket socket = connect(wan.door(0))) {
      assertTakes(
          400,
          600,
          () -> {
            long began = System.nanoTime();
            try (Socket fresh = connect(wan.door(0))) {
              double _ = roundTrip(fresh, 10);
              return (System.nanoTime() - began) / 1e6;
            }
          });
      double _ = roundTrip(socket, 10);
      assertTakes(200, 400, () -> roundTrip(socket, 10));
    }
  }

  /** 250,000 bytes are 2 Mbit: half a second there at 4 Mbit/s; they come back while they go. */
  @Test
  void rate_transfer_takesItsBits() throws Exception {
    try (ProxyWan wan = wan(0, 4);
        Socket socket = connect(wan.door(0))) {
      assertTakes(500, 1_000, () -> roundTrip(socket, 250_000));
    }
  }

  @Test
  void rate_connectionsOfANode_shareItsLine() throws Exception {
    try (ProxyWan wan = wan(0, 4);
        Socket one = connect(wan.door(0));
        Socket other = connect(wan.door(0))) {
      List<Callable<Double>> both =
          List.of(() -> roundTrip(one, 125_000), () -> roundTrip(other, 125_000));
      assertTakes(
          500,
          1_000,
          () -> {
            double longest = 0;
            for (Future<Double> took : threads.invokeAll(both)) {
              longest = Math.max(longest, took.get());
            }
            return longest;
          });
    }
  }

  @Test
  void node_endsTheConnection_clientHearsOfIt() throws IOException {
    try (ProxyWan wan = wan(10, 100);
        Socket socket = connect(wan.door(0))) {
      assertThat(roundTrip(socket, 10)).isPositive();
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void node_thatTakesNoConnection_clientHearsOfIt() throws IOException {
    echo.close();
    try (ProxyWan wan = wan(10, 100);
        Socket socket = connect(wan.door(0))) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }
}
