package org.sluiceca.client.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.Main;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.key.Identity;
import org.sluiceca.client.key.IdentityFiles;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;

/** Keys and certificates on disk, whatever the service answers. */
class EnrollCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private LoopbackService server;
  private Path key;
  private Path token;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    key = folder.resolve("www.key");
    token = Files.writeString(folder.resolve("web.token"), "web\n");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void enroll_newKey_certificateAndKeyAndNothingElse() throws Exception {
    server.answers("201 Location=/v1/certificates/2a " + pem() + "\u001b[2J");
    Path pem = folder.resolve("www.pem");

    assertThat(enroll("--out", pem.toString())).isZero();

    assertThat(PemFiles.certificates(pem)).hasSize(1);
    assertThat(Files.readString(pem)).doesNotContain("\u001b");
    assertThat(PemFiles.privateKey(key).getAlgorithm()).isEqualTo("EC");
    assertThat(folder.resolve("www.key.csr")).doesNotExist();
    assertThat(err.toString()).contains("issued 2a to " + pem);
  }

  @Test
  void enroll_refusedForGood_noKeyIsLeft() {
    server.answers("404 - {\"title\":\"Unknown profile\"}");

    assertThat(enroll()).isEqualTo(1);

    assertThat(err.toString()).contains("404 Unknown profile");
    assertThat(key).doesNotExist();
    assertThat(folder.resolve("www.key.csr")).doesNotExist();
  }

  @Test
  void enroll_notAnswered_canBeAskedForAgainUnderTheSameKey() throws Exception {
    server.answers("503 Retry-After=50 {\"title\":\"Saturated\"}");
    server.answers("201 Location=/v1/certificates/2a " + pem());

    assertThat(enroll("--wait", "1")).isEqualTo(1);
    String said = err.toString();
    String idempotencyKey = said.substring(said.lastIndexOf(' ') + 1).strip();
    Path csr = folder.resolve("www.key.csr");
    assertThat(said).contains("--csr " + csr + " --idempotency-key ");
    assertThat(key).exists();

    assertThat(run("--csr", csr.toString(), "--idempotency-key", idempotencyKey)).isZero();
    assertThat(server.seen()).hasSize(2).allMatch(s -> s.endsWith(" " + idempotencyKey));
  }

  @Test
  void enroll_outIsTheKeyOrCannotBeWritten_nothingIsSent() {
    assertThat(enroll("--out", folder.resolve("x/../www.key").toString())).isEqualTo(2);
    assertThat(enroll("--out", folder.toString())).isEqualTo(1);
    assertThat(enroll("--out", folder.resolve("no/such").toString())).isEqualTo(1);

    assertThat(server.seen()).isEmpty();
    assertThat(key).doesNotExist();
  }

  @Test
  void enroll_keyStore_hasBothAndTheKeyIsNowhereElse() throws Exception {
    Path store = folder.resolve("db.p12");
    Path password = Files.writeString(folder.resolve("pw"), "secret\n");
    String[] words = {"--dns", "db", "--store", "" + store, "--password-file", "" + password};
    server.close();
    AtomicInteger asked = new AtomicInteger();
    server =
        new LoopbackService(
            folder,
            exchange -> {
              byte[] csr = exchange.getRequestBody().readAllBytes();
              boolean busy = asked.getAndIncrement() == 0;
              byte[] answer = (busy ? "{}" : certified(csr)).getBytes(StandardCharsets.US_ASCII);
              exchange.getResponseHeaders().add("Location", "/v1/certificates/2a");
              exchange.getResponseHeaders().add("Retry-After", "50");
              exchange.sendResponseHeaders(busy ? 503 : 201, answer.length);
              exchange.getResponseBody().write(answer);
              exchange.close();
            });

    // The first try ends without an answer; the second goes on with its key.
    assertThat(run(with(words, "--wait", "1"))).isEqualTo(1);
    String said = err.toString().strip();
    String again = said.substring(said.lastIndexOf(' ') + 1);
    assertThat(said).endsWith("the same words and --idempotency-key " + again);
    assertThat(run(with(words, "--idempotency-key", again))).as(err.toString()).isZero();

    Identity identity = new IdentityFiles.Store(store, "PKCS12", password).read();
    identity.requirePair();
    assertThat(folder.resolve("db.p12.key")).doesNotExist();
    assertThat(folder.resolve("db.p12.key.csr")).doesNotExist();
    assertThat(Files.getPosixFilePermissions(store)).hasSize(2);
    // A third one would have replaced the key.
    assertThat(run(words)).isEqualTo(1);
    assertThat(err.toString()).contains("is there already");
    assertThat(asked).hasValue(2);
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static String certified(byte[] csr) {
    try (PEMParser parser =
        new PEMParser(new StringReader(new String(csr, StandardCharsets.US_ASCII)))) {
      PublicKey key =
          new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject())
              .getPublicKey();
      return PemFiles.block(
          "CERTIFICATE", LoopbackService.certificate(key, KeyKind.EC_P256.generate()).getEncoded());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void enroll_answerIsNoCertificate_failsAndSaysSo() {
    server.answers("201 Location=/v1/certificates/2a \u001b]52;c;x\u0007");

    assertThat(enroll()).isEqualTo(1);

    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("the answer holds no certificate").doesNotContain("\u001b");
  }

  @Test
  void find_severalPages_oneTimeForAllAndNoEndlessCursor() {
    server.answers(
        "200 - {\"certificates\":[{\"serial\":\"1\",\"subject\":\"CN=\u202e\"}],\"next\":\"c1\"}");
    server.answers("200 - {\"certificates\":[],\"next\":\"c1\"}");

    int status = call("find", "--expires-within", "30", "--json");

    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).contains("the same page again");
    assertThat(out.toString()).isEqualTo("{\"serial\":\"1\",\"subject\":\"CN=\\u202E\"}\n");
    String first = server.seen().getFirst().replace(" Bearer web null", "");
    assertThat(server.seen().getLast()).startsWith(first + "&cursor=c1");
  }

  @Test
  void find_csv_aHeaderOnceAndARecordForEach() {
    server.answers(
        "200 - {\"certificates\":[{\"serial\":\"1\",\"subject\":\"=cmd|'/C calc'!A0\"}],"
            + "\"next\":\"c1\"}");
    server.answers(
        "200 - {\"certificates\":[{\"serial\":\"2\",\"status\":\"valid\","
            + "\"subjectAltNames\":[\"a.example\",\"b.example\"],\"profile\":\"p\"}]}");

    assertThat(call("find", "--csv")).isZero();

    assertThat(out.toString())
        .isEqualTo(
            "serial,status,subject,subjectAltNames,issuer,profile,requester,notBefore,notAfter,"
                + "issuedAt,reason,revocationDate\r\n"
                + "1,,\"'=cmd|'/C calc'!A0\",,,,,,,,,\r\n"
                + "2,valid,,\"a.example b.example\",,p,,,,,,\r\n");
    assertThat(call("find", "--csv", "--json")).isEqualTo(2);
    assertThat(server.seen()).hasSize(2);
  }

  private int enroll(String... more) {
    List<String> words =
        new ArrayList<>(List.of("--dns", "www.example.com", "--key", key.toString()));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  private int run(String... more) {
    List<String> words = new ArrayList<>(List.of("enroll", "--profile", "tls-server"));
    words.addAll(List.of(more));
    return call(words.toArray(String[]::new));
  }

  private int call(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", server.url().toString(), "--ca-file", server.root().toString()));
    all.addAll(List.of("--token-file", token.toString()));
    return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  private static String pem() throws Exception {
    return PemFiles.block(
        "CERTIFICATE", LoopbackService.certificate(KeyKind.EC_P256.generate()).getEncoded());
  }
}
