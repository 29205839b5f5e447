package org.sluiceca.hsm.isolate.child;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.isolate.wire.Answer.Status;
import org.sluiceca.hsm.isolate.wire.FrameChannel;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.Wire;
import org.sluiceca.hsm.pkcs11.ProcessExit;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;

/**
 * The program of the process that one PKCS#11 module runs in. Arguments: the module's path and the
 * token's label, which identifies the process in a list of processes. Standard input, kept open by
 * the node as long as it lives: the socket's path, the secret of the greeting, the number of
 * earlier lives.
 */
public final class ModuleMain {
  /*
   * Its end. The node is gone when standard input or the socket ends, however it died; then the
   * module is finalised if that takes no longer than FINALISE_MAX, and the process leaves by _exit,
   * past the module's own destructors, which may hang like any other of its functions.
   *
   * SIGTERM, SIGINT and SIGHUP often reach a node's whole group: the node then still drains, and
   * needs its module. A shutdown hook that never returns makes this process outlast them; it ends
   * with its node, or by SIGKILL.
   */

  /** The node waits 3 s before SIGKILL. */
  private static final Duration FINALISE_MAX = Duration.ofSeconds(1);

  private static final AtomicBoolean ENDING = new AtomicBoolean();

  private static volatile @Nullable WrapperCryptoki module;

  private ModuleMain() {}

  /** Started by {@code ModuleProcess} only. */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    // Loaded now: when it is needed, its jar may have been replaced.
    ProcessExit exit = new ProcessExit();
    DataInputStream in = new DataInputStream(System.in);
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(in.readUTF());
    byte[] secret = in.readNBytes(Wire.SECRET_BYTES);
    long earlierLives = in.readLong();
    Runnable end = () -> end(exit);
    start("node-watch", () -> awaitEnd(in, end));
    Runtime.getRuntime().addShutdownHook(new Thread(ModuleMain::stayForEver, "outlast-signals"));
    FrameChannel channel = connect(address);
    channel.write(FrameWriter.hello(secret));
    try {
      WrapperCryptoki loaded = WrapperCryptoki.load(Path.of(arguments[0]));
      module = loaded;
      new ModuleServer(channel, new Dispatcher(loaded, earlierLives), end).start();
    } catch (HsmException e) {
      channel.write(FrameWriter.answer(Status.FAILED, Wire.READY).put(e.getMessage()));
    }
  }

  private static FrameChannel connect(UnixDomainSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    boolean _ = channel.connect(address);
    return new FrameChannel(channel);
  }

  private static void awaitEnd(InputStream in, Runnable end) {
    try {
      long _ = in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // As good as its end.
      end.run();
    }
    end.run();
  }

  private static void end(ProcessExit exit) {
    if (!ENDING.compareAndSet(false, true)) {
      return;
    }
    WrapperCryptoki loaded = module;
    if (loaded != null) {
      Thread finaliser = start("finalise", loaded::finalise);
      try {
        boolean _ = finaliser.join(FINALISE_MAX);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exit.now();
  }

  private static Thread start(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).start(body);
  }

  private static void stayForEver() {
    while (true) {
      LockSupport.park();
    }
  }
}
