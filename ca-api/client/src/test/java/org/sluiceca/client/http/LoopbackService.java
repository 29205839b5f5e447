package org.sluiceca.client.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;

/** An HTTPS server on the loopback address that gives the answers of a list, in its order. */
public final class LoopbackService implements AutoCloseable {
  /** A name of its certificate that no DNS knows: it can be reached by a proxy alone. */
  public static final String BEHIND_A_PROXY = "ca.sluice.test";

  private static final char[] PASSWORD = {'x'};

  private final List<String> answers = Collections.synchronizedList(new ArrayList<>());
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
  private final HttpsServer server;
  private volatile CountDownLatch together = new CountDownLatch(0);
  private final Path root;

  /** Starts; writes its certificate into {@code folder}. */
  public LoopbackService(Path folder) throws Exception {
    this(folder, null);
  }

  /** The same, with answers that {@code handler} makes from the requests. */
  public LoopbackService(Path folder, @Nullable HttpHandler handler) throws Exception {
    KeyPair pair = KeyKind.EC_P256.generate();
    X509Certificate certificate = certificate(pair);
    root = folder.resolve("root-" + System.nanoTime() + ".pem");
    Files.writeString(root, PemFiles.block("CERTIFICATE", certificate.getEncoded()));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("tls", pair.getPrivate(), PASSWORD, new X509Certificate[] {certificate});
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", handler == null ? this::play : handler);
    server.start();
  }

  private void play(HttpExchange exchange) throws IOException {
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    seen.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization")
            + " "
            + exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    await();
    String[] answer = answers.removeFirst().split(" ", 3);
    String[] header = answer[1].split("=", 2);
    if (header.length == 2) {
      exchange.getResponseHeaders().add(header[0], header[1]);
    }
    byte[] body = answer[2].getBytes(StandardCharsets.UTF_8);
    boolean stalls = answer[2].isEmpty();
    exchange.sendResponseHeaders(Integer.parseInt(answer[0]), stalls ? 10 : body.length);
    if (!stalls) {
      exchange.getResponseBody().write(body);
      exchange.close();
    }
  }

  /** A certificate for localhost, signed by its own key. */
  public static X509Certificate certificate(KeyPair pair)
      throws IOException, GeneralSecurityException, OperatorCreationException {
    return certificate(pair.getPublic(), pair);
  }

  /** A certificate for localhost of this key, signed by another. */
  public static X509Certificate certificate(PublicKey key, KeyPair signer)
      throws IOException, GeneralSecurityException, OperatorCreationException {
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            new X500Name("CN=test"),
            BigInteger.ONE,
            Date.from(Instant.now().minusSeconds(60)),
            Date.from(Instant.now().plusSeconds(3600)),
            new X500Name("CN=test"),
            key);
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.dNSName, "localhost"),
              new GeneralName(GeneralName.dNSName, BEHIND_A_PROXY)
            }));
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(
                new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
  }

  /** Adds an answer: status, NAME=VALUE of a header or -, body; an empty body never comes. */
  public void answers(String answer) {
    answers.add(answer);
  }

  /** Each request: method, path, authorization, idempotency key. */
  public List<String> seen() {
    return List.copyOf(seen);
  }

  /** Answers after as many requests have come, to all who share it, as {@code requests} counts. */
  public void answersTogether(CountDownLatch requests) {
    together = requests;
  }

  private void await() throws IOException {
    together.countDown();
    try {
      if (!together.await(30, TimeUnit.SECONDS)) {
        throw new IOException("the other requests did not come");
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** The body of each request. */
  public List<String> bodies() {
    return List.copyOf(bodies);
  }

  /** Where it listens. */
  public URI url() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  /** Its own certificate, PEM. */
  public Path root() {
    return root;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
