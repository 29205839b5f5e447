package org.sluiceca.api.http.connector;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.testkit.Await;

/** Tomcat with this endpoint, over TLS. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
// 13 s: who finds no place is refused after ten.
@Tag("slow")
class BoundedEndpointTest {

  private static final String PASSWORD = "unprotected";

  /** What a small heap has. */
  private static final int PLACES = ConnectionBudget.slots(1);

  private static final int CLIENTS = PLACES + 32;

  @TempDir Path folder;

  private final CountDownLatch opened = new CountDownLatch(1);
  private final AtomicInteger inProgress = new AtomicInteger();
  private final AtomicInteger mostInProgress = new AtomicInteger();
  private final Tomcat tomcat = new Tomcat();
  private KeyStore keys;
  private ExecutorService threads;

  @BeforeEach
  void start() throws Exception {
    keys = keys();
    threads = Executors.newVirtualThreadPerTaskExecutor();
    Connector connector = new Connector(BoundedProtocol.class.getName());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("maxConnections", "" + 2 * CLIENTS);
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    connector.getProtocolHandler().setExecutor(threads);
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
    certificate.setCertificateKeystore(keys);
    certificate.setCertificateKeyPassword(PASSWORD);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    tomcat.setBaseDir(folder.toString());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "slow", new Slow()).addMapping("/");
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    opened.countDown();
    tomcat.stop();
    tomcat.destroy();
    threads.shutdownNow();
  }

  /** The handshake's last turn goes on with the request: it must have a place as any other. */
  @Test
  void firstRequests_moreThanPlaces_noMoreInProgress() throws Exception {
    SSLContext trust = trust();
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      answers.add(threads.submit(() -> answer(trust)));
    }
    // Who finds no place is refused after ten seconds.
    Await.until(
        "all are let in or refused",
        () -> inProgress.get() + answers.stream().filter(Future::isDone).count() >= CLIENTS);
    opened.countDown();

    int served = 0;
    for (Future<String> answer : answers) {
      served += answer.get().startsWith("HTTP/1.1 200") ? 1 : 0;
    }
    assertThat(mostInProgress).hasValueLessThanOrEqualTo(PLACES);
    assertThat(served).isEqualTo(mostInProgress.get());
  }

  private String answer(SSLContext trust) {
    int port = tomcat.getConnector().getLocalPort();
    try (SSLSocket socket =
        (SSLSocket) trust.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.startHandshake();
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      // It found no place for its handshake in time.
      return "";
    }
  }

  private final class Slow extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      mostInProgress.accumulateAndGet(inProgress.incrementAndGet(), Math::max);
      try {
        opened.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        inProgress.decrementAndGet();
      }
    }
  }

  private SSLContext trust() throws Exception {
    TrustManagerFactory anchors =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("endpoint", keys.getCertificate("endpoint"));
    anchors.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, anchors.getTrustManagers(), null);
    return context;
  }

  /** By keytool: the JDK has no interface to make a certificate. */
  private KeyStore keys() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "endpoint",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(keytool.exitValue()).isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
  }
}
