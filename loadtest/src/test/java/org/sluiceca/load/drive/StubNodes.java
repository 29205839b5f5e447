package org.sluiceca.load.drive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Nodes that answer as the test sets, over TLS on the loopback interface. */
public final class StubNodes implements AutoCloseable {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final int KEYTOOL_SECONDS = 60;

  private final SSLContext tls;
  private final List<ServerSocket> listening = new ArrayList<>();
  private final Function<Asked, String> answering;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<AtomicInteger> waiting = new ArrayList<>();
  private final List<AtomicInteger> waitingMost = new ArrayList<>();
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();

  /** A request by its Idempotency-Key. */
  record Asked(int node, String key) {}

  /**
   * Nodes in the order of their numbers.
   *
   * @param folder for the key of their certificate
   * @param answering an answer's status line and fields, without the empty line at the end
   */
  StubNodes(int count, Path folder, Function<Asked, String> answering)
      throws IOException, GeneralSecurityException {
    this.answering = answering;
    this.tls = tls(folder.resolve("stub.p12"));
    for (int node = 0; node < count; node++) {
      int number = node;
      ServerSocket door =
          tls.getServerSocketFactory().createServerSocket(0, 100, InetAddress.getLoopbackAddress());
      listening.add(door);
      waiting.add(new AtomicInteger());
      waitingMost.add(new AtomicInteger());
      threads.execute(() -> serve(number, door));
    }
  }

  /** Makes a key for localhost, and trusts it alone. */
  public static SSLContext tls(Path file) throws IOException, GeneralSecurityException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> words = new ArrayList<>(List.of(keytool, "-genkeypair", "-alias", "stub"));
    words.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost"));
    words.addAll(List.of("-ext", "SAN=dns:localhost", "-storetype", "PKCS12"));
    words.addAll(List.of("-keystore", file.toString(), "-storepass", new String(PASSWORD)));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(file.resolveSibling("keytool.log").toFile())
            .start();
    try {
      if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError(Files.readString(file.resolveSibling("keytool.log")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("stub", store.getCertificate("stub"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** Trusts them. */
  SSLSocketFactory factory() {
    return tls.getSocketFactory();
  }

  InetSocketAddress door(int node) {
    return new InetSocketAddress(
        InetAddress.getLoopbackAddress(), listening.get(node).getLocalPort());
  }

  /** The most requests that were without an answer at a time. */
  int waitingMost(int node) {
    return waitingMost.get(node).get();
  }

  /** All requests so far. */
  List<Asked> asked() {
    return List.copyOf(asked);
  }

  private void serve(int node, ServerSocket door) {
    try {
      while (true) {
        Socket client = door.accept();
        threads.execute(() -> answer(node, client));
      }
    } catch (IOException e) {
      if (!door.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void answer(int node, Socket client) {
    try (client) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
      while (true) {
        String key = "";
        int length = 0;
        String line = in.readLine();
        if (line == null) {
          return;
        }
        for (; line != null && !line.isEmpty(); line = in.readLine()) {
          if (line.startsWith("Idempotency-Key: ")) {
            key = line.substring("Idempotency-Key: ".length());
          }
          if (line.startsWith("Content-Length: ")) {
            length = Integer.parseInt(line.substring("Content-Length: ".length()));
          }
        }
        for (int left = length; left > 0; left--) {
          if (in.read() < 0) {
            return;
          }
        }
        Asked one = new Asked(node, key);
        asked.add(one);
        waitingMost.get(node).accumulateAndGet(waiting.get(node).incrementAndGet(), Math::max);
        String said = answering.apply(one);
        waiting.get(node).decrementAndGet();
        client.getOutputStream().write((said + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      // The generator closes what it kept.
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() throws IOException {
    for (ServerSocket door : listening) {
      door.close();
    }
    threads.shutdownNow();
  }
}
