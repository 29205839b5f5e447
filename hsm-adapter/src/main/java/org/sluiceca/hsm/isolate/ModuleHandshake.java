package org.sluiceca.hsm.isolate;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.sluiceca.hsm.isolate.wire.FrameChannel;
import org.sluiceca.hsm.isolate.wire.MalformedFrameException;
import org.sluiceca.hsm.isolate.wire.Wire;

/**
 * The place where a node and a process that it started meet, once: a socket in a private folder,
 * and a secret that the process received over its standard input. Closing removes both.
 */
final class ModuleHandshake implements AutoCloseable {
  /** How soon a node that stops, or a process that has ended, is noticed. */
  private static final long POLL_MILLIS = 20;

  /** Short: a socket's path has at most 107 bytes. */
  private static final String SOCKET = "s";

  private final Path folder;
  private final ServerSocketChannel server;
  private final byte[] secret = new byte[Wire.SECRET_BYTES];

  private ModuleHandshake(Path folder, ServerSocketChannel server) {
    this.folder = folder;
    this.server = server;
    new SecureRandom().nextBytes(secret);
  }

  /**
   * Makes the folder, mode 0700, and listens.
   *
   * @throws IOException also when the temporary folder's path is too long for a socket (108 bytes)
   */
  static ModuleHandshake open() throws IOException {
    Path folder =
        Files.createTempDirectory(
            "sluice-hsm-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try {
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        ServerSocketChannel bound = server.bind(UnixDomainSocketAddress.of(folder.resolve(SOCKET)));
        return new ModuleHandshake(folder, bound);
      } catch (IOException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      delete(folder);
      throw e;
    }
  }

  Path folder() {
    return folder;
  }

  String socketPath() {
    return folder.resolve(SOCKET).toString();
  }

  byte[] secret() {
    return secret;
  }

  /** A connected process and its first words after the greeting. */
  // Lives for one start.
  @SuppressWarnings("ArrayRecordComponent")
  record Arrival(FrameChannel channel, byte[] firstAnswer) {}

  /**
   * Waits for the process that knows the secret, and for its first answer. Who does not know it is
   * hung up on.
   *
   * @param deadlineNanos until when, on {@link System#nanoTime}'s scale
   * @param isHopeless asked every 20 ms: whether there is nothing left to wait for
   * @throws EOFException when the process hangs up
   * @throws IOException when there is no answer by then
   */
  Arrival await(long deadlineNanos, BooleanSupplier isHopeless) throws IOException {
    server.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      Watch watch = new Watch(selector, deadlineNanos, isHopeless);
      SocketChannel peer = greeted(watch);
      boolean isKept = false;
      try {
        server.close();
        Files.delete(folder.resolve(SOCKET));
        byte[] first = new Reader(peer, watch).frame(Wire.TEXT_BYTES_MAX * 2);
        // Without a key when all it said was there at the first look.
        SelectionKey key = peer.keyFor(selector);
        if (key != null) {
          key.cancel();
        }
        int _ = selector.selectNow();
        SelectableChannel _ = peer.configureBlocking(true);
        isKept = true;
        return new Arrival(new FrameChannel(peer), first);
      } finally {
        if (!isKept) {
          peer.close();
        }
      }
    }
  }

  /** The first to greet with the secret. */
  private SocketChannel greeted(Watch watch) throws IOException {
    while (true) {
      SocketChannel peer = server.accept();
      if (peer == null) {
        watch.await(server, SelectionKey.OP_ACCEPT);
        continue;
      }
      boolean isKept = false;
      try {
        peer.configureBlocking(false);
        isKept = greets(new Reader(peer, watch));
        if (isKept) {
          return peer;
        }
      } catch (EOFException | MalformedFrameException e) {
        // It hung up, or speaks another language: another one may come.
      } finally {
        if (!isKept) {
          peer.close();
        }
      }
    }
  }

  private boolean greets(Reader reader) throws IOException {
    byte[] hello = reader.frame(Wire.HELLO_BYTES);
    ByteBuffer fields = ByteBuffer.wrap(hello);
    if (hello.length != Wire.HELLO_BYTES) {
      return false;
    }
    int version = fields.get();
    byte[] said = new byte[Wire.SECRET_BYTES];
    fields.get(said);
    if (!MessageDigest.isEqual(said, secret)) {
      return false;
    }
    if (version != Wire.VERSION) {
      throw new IOException("it is of another version: the node's files were replaced; restart it");
    }
    return true;
  }

  /** What bounds each wait. */
  private record Watch(Selector selector, long deadlineNanos, BooleanSupplier isHopeless) {
    void await(SelectableChannel channel, int operation) throws IOException {
      if (isHopeless.getAsBoolean()) {
        throw new IOException("it ended");
      }
      if (System.nanoTime() - deadlineNanos >= 0) {
        throw new IOException("it was not ready in time");
      }
      SelectionKey _ = channel.register(selector, operation);
      int _ = selector.select(POLL_MILLIS);
      selector.selectedKeys().clear();
    }
  }

  /** Reads exactly one frame at a time, and nothing behind it, from a channel that may stall. */
  private record Reader(SocketChannel peer, Watch watch) {
    byte[] frame(int bytesMax) throws IOException {
      int length = FrameChannel.checkLength(exactly(Integer.BYTES).getInt());
      if (length > bytesMax) {
        throw new MalformedFrameException("a first frame of " + length + " bytes");
      }
      return exactly(length).array();
    }

    private ByteBuffer exactly(int bytes) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(bytes);
      while (buffer.hasRemaining()) {
        int read = peer.read(buffer);
        if (read < 0) {
          throw new EOFException("it ended");
        }
        if (read == 0) {
          watch.await(peer, SelectionKey.OP_READ);
        }
      }
      return buffer.flip();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    delete(folder);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
