package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.hsm.isolate.wire.Answer.Status;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.Wire;

/** Who may be a module's process. */
@Timeout(180)
class ModuleHandshakeTest {
  private static final long SECONDS = 1_000_000_000L;

  @SuppressWarnings("NullAway.Init")
  private ModuleHandshake handshake;

  @BeforeEach
  void open() throws IOException {
    handshake = ModuleHandshake.open();
  }

  @AfterEach
  void close() throws IOException {
    handshake.close();
    assertThat(handshake.folder()).doesNotExist();
  }

  @Test
  void await_impostorFirst_hungUpOnAndTheOtherIsTaken() throws Exception {
    try (ExecutorService node = Executors.newSingleThreadExecutor();
        SocketChannel impostor = connect();
        SocketChannel child = connect()) {
      Future<ModuleHandshake.Arrival> arrival = node.submit(() -> await(60 * SECONDS));
      send(impostor, FrameWriter.hello(new byte[Wire.SECRET_BYTES]));
      assertThat(isHungUp(impostor)).isTrue();
      send(child, FrameWriter.hello(handshake.secret()));
      byte[] first = FrameWriter.answer(Status.OK, Wire.READY).put(7L).payload();
      send(child, FrameWriter.answer(Status.OK, Wire.READY).put(7L));

      assertThat(arrival.get().firstAnswer()).isEqualTo(first);
      assertThat(Path.of(handshake.socketPath())).doesNotExist();
    }
  }

  @Test
  void await_noise_hungUpOnAndWaitsOn() throws Exception {
    try (ExecutorService node = Executors.newSingleThreadExecutor();
        SocketChannel noise = connect()) {
      AtomicBoolean isHopeless = new AtomicBoolean();
      Future<ModuleHandshake.Arrival> arrival =
          node.submit(() -> handshake.await(System.nanoTime() + 60 * SECONDS, isHopeless::get));
      int _ =
          noise.write(
              ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));

      assertThat(isHungUp(noise)).isTrue();
      assertThat(arrival.isDone()).isFalse();
      isHopeless.set(true);
      assertThatThrownBy(arrival::get).hasRootCauseMessage("it ended");
    }
  }

  @Test
  void await_otherVersion_saysSo() throws Exception {
    byte[] hello = FrameWriter.hello(handshake.secret()).payload();
    hello[0]++;
    try (ExecutorService node = Executors.newSingleThreadExecutor();
        SocketChannel child = connect()) {
      Future<ModuleHandshake.Arrival> arrival = node.submit(() -> await(60 * SECONDS));
      int _ =
          child.write(
              ByteBuffer.allocate(Integer.BYTES + hello.length)
                  .putInt(hello.length)
                  .put(hello)
                  .flip());

      assertThatThrownBy(arrival::get)
          .hasRootCauseMessage(
              "it is of another version: the node's files were replaced; restart it");
    }
  }

  @Test
  void await_nobodyOrSilence_endsInTime() throws Exception {
    assertThatThrownBy(() -> await(SECONDS / 10)).hasMessage("it was not ready in time");
    try (SocketChannel silent = connect()) {
      assertThat(silent.isConnected()).isTrue();
      assertThatThrownBy(() -> await(SECONDS / 10)).hasMessage("it was not ready in time");
    }
    assertThatThrownBy(() -> handshake.await(System.nanoTime() + 60 * SECONDS, () -> true))
        .hasMessage("it ended");
  }

  @Test
  void open_folder_isOnlyOurs() throws IOException {
    assertThat(Files.getPosixFilePermissions(handshake.folder()).toString())
        .doesNotContain("GROUP")
        .doesNotContain("OTHERS");
  }

  private ModuleHandshake.Arrival await(long nanos) throws IOException {
    return handshake.await(System.nanoTime() + nanos, () -> false);
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(handshake.socketPath()));
  }

  private static void send(SocketChannel to, FrameWriter frame) throws IOException {
    byte[] payload = frame.payload();
    int _ =
        to.write(
            ByteBuffer.allocate(Integer.BYTES + payload.length)
                .putInt(payload.length)
                .put(payload)
                .flip());
  }

  private static boolean isHungUp(SocketChannel channel) throws IOException {
    try {
      return channel.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      // Reset, as it had sent more than was read.
      return true;
    }
  }
}
