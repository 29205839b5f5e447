package org.sluiceca.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/** Against an HTTPS server of the JDK on the loopback address. */
class ServiceTest {

  private final StringWriter err = new StringWriter();
  private final Console console = new Console(new PrintWriter(err), new PrintWriter(err));
  private final List<String> answers = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  @TempDir private Path folder;
  private HttpsServer server;
  private Path root;

  @BeforeEach
  void start() throws Exception {
    KeyPair pair = KeyKind.EC_P256.generate();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            new X500Name("CN=test"),
            BigInteger.ONE,
            Date.from(Instant.now().minusSeconds(60)),
            Date.from(Instant.now().plusSeconds(3600)),
            new X500Name("CN=test"),
            pair.getPublic());
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
    X509Certificate certificate =
        new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(
                    new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
    root =
        Files.writeString(
            folder.resolve("root.pem"), PemFiles.block("CERTIFICATE", certificate.getEncoded()));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "tls", pair.getPrivate(), new char[] {'x'}, new X509Certificate[] {certificate});
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[] {'x'});
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        exchange -> {
          seen.add(
              exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestURI());
          String[] answer = answers.removeFirst().split(" ", 3);
          if (!answer[1].equals("-")) {
            exchange.getResponseHeaders().add("Retry-After", answer[1]);
          }
          byte[] body = answer[2].getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(Integer.parseInt(answer[0]), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void ask_busyTwice_repeatedAsAskedWithTheTokenEachTime() {
    answers.add("503 1 {\"title\":\"Service Unavailable\"}");
    answers.add("429 0 {\"type\":\"/problems/x\",\"title\":\"Too many\"}");
    answers.add("200 - {\"a\":1}");

    assertThat(ask(Duration.ofSeconds(60)).json().path("a").asInt()).isEqualTo(1);
    assertThat(seen).hasSize(3).allMatch("Bearer secret-token /v1/x?q=a%20b"::equals);
    assertThat(err.toString())
        .contains("the server is busy (503): again in", "Too many (429)")
        .doesNotContain("secret-token");
  }

  @Test
  void ask_laterThanThereIsTime_endsAtOnceWithTheReason() {
    answers.add("429 50 {\"title\":\"Quota\",\"detail\":\"20 a minute\"}");

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(Duration.ofSeconds(5)))
        .withMessage("429 Quota: 20 a minute");
    assertThat(seen).hasSize(1);
  }

  @Test
  void ask_refused_notRepeated() {
    answers.add("409 - {\"title\":\"Conflict\"}");

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(Duration.ofSeconds(60)))
        .withMessage("409 Conflict");
  }

  @Test
  void ask_notOurAnswer_saysSo() {
    answers.add("200 - <html>");

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(Duration.ofSeconds(60)).json())
        .withMessageContaining("is this the URL of a Sluice service?");
  }

  @Test
  void ask_firstNodeAway_theNextAndThenNone() throws Exception {
    answers.add("200 - {}");
    URI away = URI.create("https://localhost:" + freePort());

    assertThat(ask(Duration.ofSeconds(60), away, url()).status()).isEqualTo(200);
    assertThat(err.toString()).contains("nothing answers at " + away + ": trying " + url());
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(Duration.ofSeconds(60), away))
        .withMessageContaining("nothing answers at " + away + ": is it up?");
  }

  @Test
  void ask_otherRoot_notTrusted() {
    Service service =
        new Service(
            new Connection(List.of(url()), new Credential.None(), Optional.empty()),
            Duration.ofSeconds(5),
            console);

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> service.ask(Call.get("/")))
        .withMessageContaining("is not trusted");
    assertThat(seen).isEmpty();
    service.close();
  }

  private Reply ask(Duration patience, URI... urls) {
    List<URI> where = urls.length == 0 ? List.of(url()) : List.of(urls);
    try (Service service =
        new Service(
            new Connection(where, new Credential.Token("secret-token"), Optional.of(root)),
            patience,
            console)) {
      return service.ask(Call.get("/v1/x" + new Query().put("q", "a b").put("none", null)));
    }
  }

  private URI url() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
