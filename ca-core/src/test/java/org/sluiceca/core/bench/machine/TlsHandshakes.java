package org.sluiceca.core.bench.machine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS 1.3 handshakes of the JDK's engines, in memory, by one thread: the CPU time of the server's
 * part alone. Used by one thread.
 */
final class TlsHandshakes {

  /** Larger than any record, and than the messages of a handshake together. */
  private static final int BUFFER = 64 * 1024;

  /** A handshake has some ten turns. */
  private static final int TURNS_MAX = 200;

  private final SSLContext server;
  private final SSLContext client;
  private final boolean isMutual;
  private final Judged judged = new Judged();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ByteBuffer nothing = ByteBuffer.allocate(0);
  private final ByteBuffer toServer = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer toClient = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer application = ByteBuffer.allocate(BUFFER);
  private int peer;
  private long serverNanos;

  /**
   * What one handshake was.
   *
   * @param nanos CPU time of the server
   * @param isResumed whether no certificate of the server was judged
   * @param isClientKnown whether the server has the client's certificate
   */
  record Made(long nanos, boolean isResumed, boolean isClientKnown) {}

  /**
   * Handshakes with the server's key.
   *
   * @param ofClient the client's key, if it is to prove itself; {@code trusted} judges it
   */
  TlsHandshakes(KeyStore ofServer, Optional<KeyStore> ofClient, KeyStore trusted)
      throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    isMutual = ofClient.isPresent();
    server = SSLContext.getInstance("TLS");
    server.init(keys(ofServer), trust.getTrustManagers(), null);
    client = SSLContext.getInstance("TLS");
    client.init(
        isMutual ? keys(ofClient.get()) : new KeyManager[0], new TrustManager[] {judged}, null);
  }

  private static KeyManager[] keys(KeyStore store) throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, Identities.password());
    return keys.getKeyManagers();
  }

  /** Makes one in full: with a peer that the client has no session of. */
  Made full() throws SSLException {
    return make(++peer);
  }

  /** Makes one that resumes the session of the last. */
  Made resumed() throws SSLException {
    return make(peer);
  }

  private Made make(int port) throws SSLException {
    judged.servers = 0;
    serverNanos = 0;
    toServer.clear();
    toClient.clear();
    SSLEngine asking = client.createSSLEngine("localhost", port);
    asking.setUseClientMode(true);
    asking.beginHandshake();
    long begun = threads.getCurrentThreadCpuTime();
    SSLEngine answering = server.createSSLEngine();
    answering.setUseClientMode(false);
    answering.setWantClientAuth(isMutual);
    serverNanos += threads.getCurrentThreadCpuTime() - begun;
    for (int schedule = 0; schedule < TURNS_MAX; schedule++) {
      boolean moved = step(asking, toServer, toClient);
      begun = threads.getCurrentThreadCpuTime();
      moved |= step(answering, toClient, toServer);
      serverNanos += threads.getCurrentThreadCpuTime() - begun;
      if (!moved) {
        return made(answering);
      }
    }
    throw new SSLException("a handshake without end");
  }

  private Made made(SSLEngine answering) throws SSLException {
    if (answering.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      throw new SSLException("stuck at " + answering.getHandshakeStatus());
    }
    boolean isClientKnown = false;
    if (isMutual) {
      isClientKnown = answering.getSession().getPeerCertificates().length > 0;
    }
    return new Made(serverNanos, judged.servers == 0, isClientKnown);
  }

  /** Reads what came and writes what there is to say; returns whether anything moved. */
  private boolean step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
    boolean moved = false;
    in.flip();
    while (in.hasRemaining()) {
      application.clear();
      int before = in.remaining();
      HandshakeStatus status = engine.unwrap(in, application).getHandshakeStatus();
      runTasks(engine);
      if (in.remaining() == before && status != HandshakeStatus.NEED_TASK) {
        break;
      }
      moved = true;
    }
    in.compact();
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      int before = out.position();
      HandshakeStatus status = engine.wrap(nothing, out).getHandshakeStatus();
      runTasks(engine);
      moved |= out.position() > before || status == HandshakeStatus.NEED_TASK;
    }
    return moved;
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /** Takes every server: what the client does is not measured. */
  private static final class Judged extends X509ExtendedTrustManager {

    private int servers;

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      servers++;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      servers++;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      servers++;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("no server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("no server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("no server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
