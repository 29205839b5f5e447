package org.sluiceca.load.training;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.soak.OcspClient;

/**
 * The load of a training by REST, in a closed loop of a few connections: enrollments of each form,
 * what clients ask for besides, and errors. Started from its source, with the libraries of the
 * distribution on the class path, since a user's build has no classes of this module.
 *
 * <p>{@code TrainingLoad DATA PORT HTTP-PORT CSRS SECONDS}; DATA is a trial's folder, CSRS has
 * requests in base64, one a line. Prints how many certificates were issued, and ends with 1 if none
 * was.
 */
public final class TrainingLoad {

  private static final int CONNECTIONS = 8;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Pattern SERIAL = Pattern.compile("/certificates/([0-9a-f]+)$");
  private static final String CERTIFICATES = "/v1/certificates";
  private static final String JSON = "application/json";
  private static final String CONTENT_TYPE = "Content-Type";

  private final HttpClient http;
  private final String base;
  private final String plain;
  private final OcspClient ocsp;
  private final String enroll;
  private final String admin;
  private final List<String> csrs;
  private final long end;
  private final AtomicInteger issued = new AtomicInteger();

  private TrainingLoad(Path data, int port, int plain, List<String> csrs, Duration time)
      throws IOException, GeneralSecurityException {
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(Http.trusting(data.resolve("root.pem")))
            .build();
    this.base = "https://localhost:" + port;
    this.plain = "http://localhost:" + plain;
    try (InputStream chain = Files.newInputStream(data.resolve("chain.pem"))) {
      this.ocsp =
          new OcspClient(
              (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(chain));
    }
    this.enroll = Files.readString(data.resolve("enroll.token")).strip();
    this.admin = Files.readString(data.resolve("admin.token")).strip();
    this.csrs = csrs;
    this.end = System.nanoTime() + time.toNanos();
  }

  public static void main(String[] arguments)
      throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
    Locale.setDefault(Locale.ROOT);
    TrainingLoad load =
        new TrainingLoad(
            Path.of(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Files.readAllLines(Path.of(arguments[3])),
            Duration.ofSeconds(Long.parseLong(arguments[4])));
    int issued = load.run();
    System.out.println(issued + " certificates");
    if (issued == 0) {
      System.exit(1);
    }
  }

  private int run() throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int client = i;
        clients.add(threads.submit(() -> work(client)));
      }
      for (Future<?> client : clients) {
        Object _ = client.get();
      }
    }
    return issued.get();
  }

  /** Mostly what nodes mostly do: JIT compilers are to see the shares of each day. */
  private boolean work(int client) throws IOException, InterruptedException {
    for (int i = client; System.nanoTime() < end; i += CONNECTIONS) {
      String csr = csrs.get(i % csrs.size());
      String location = enroll(request(CERTIFICATES, enroll), "tls-server", csr);
      other(i / CONNECTIONS % 16, csr, location);
    }
    return true;
  }

  private void other(int turn, String csr, String location)
      throws IOException, InterruptedException {
    switch (turn) {
      case 1, 9 -> {
        HttpRequest.Builder octets =
            request(CERTIFICATES + "?profile=tls-server", enroll)
                .header(CONTENT_TYPE, "application/pkcs10")
                .header("Accept", "application/pem-certificate-chain")
                .POST(BodyPublishers.ofByteArray(Base64.getDecoder().decode(csr)));
        String _ = location(send(octets));
      }
      case 2 -> {
        String key = "training-" + System.nanoTime();
        String _ =
            enroll(request(CERTIFICATES, enroll).header("Idempotency-Key", key), "tls-server", csr);
        String _ =
            enroll(request(CERTIFICATES, enroll).header("Idempotency-Key", key), "tls-server", csr);
      }
      case 3 -> {
        String lines = line(1, csr) + line(2, csr) + line(3, "AAAA");
        HttpResponse<String> _ =
            send(
                request(CERTIFICATES + ":batch", enroll)
                    .header(CONTENT_TYPE, "application/x-ndjson")
                    .POST(BodyPublishers.ofString(lines)));
      }
      case 4 -> revoke(location);
      case 5 -> get("/v1/capacity", enroll);
      case 6 -> get(CERTIFICATES + "?limit=5&profile=tls-server", admin);
      case 7 -> get(location, enroll);
      case 10 -> get("/v1/profiles", enroll);
      case 11 -> {
        String _ = enroll(request(CERTIFICATES, enroll), "none", csr);
      }
      case 12 -> {
        String _ = enroll(request(CERTIFICATES, "wrong"), "tls-server", csr);
      }
      case 13 -> {
        String _ = enroll(request(CERTIFICATES, enroll), "tls-server", "MAAA");
      }
      case 8, 14 -> status(location);
      default -> {
        // An enrollment alone.
      }
    }
  }

  /** What relying parties ask for, by plain HTTP. */
  private void status(String location) throws IOException, InterruptedException {
    HttpResponse<String> _ =
        send(HttpRequest.newBuilder(URI.create(plain + "/crl/issuing.crl")).timeout(TIMEOUT));
    if (!location.isEmpty()) {
      byte[] asked = ocsp.request(location.substring(location.lastIndexOf('/') + 1));
      HttpResponse<String> _ =
          send(
              HttpRequest.newBuilder(URI.create(plain + "/ocsp"))
                  .timeout(TIMEOUT)
                  .header(CONTENT_TYPE, "application/ocsp-request")
                  .POST(BodyPublishers.ofByteArray(asked)));
    }
  }

  private void revoke(String location) throws IOException, InterruptedException {
    if (!location.isEmpty()) {
      HttpResponse<String> _ =
          send(
              request(location + "/revocation", admin)
                  .header(CONTENT_TYPE, JSON)
                  .POST(BodyPublishers.ofString("{\"reason\":\"superseded\"}")));
    }
  }

  private String enroll(HttpRequest.Builder request, String profile, String csr)
      throws IOException, InterruptedException {
    String body = "{\"profile\":\"" + profile + "\",\"csr\":\"" + csr + "\"}";
    return location(
        send(
            request
                .header(CONTENT_TYPE, JSON)
                .header("Accept", JSON)
                .POST(BodyPublishers.ofString(body))));
  }

  private static String line(int id, String csr) {
    return "{\"id\":\"" + id + "\",\"profile\":\"tls-server\",\"csr\":\"" + csr + "\"}\n";
  }

  /** Returns the path of the certificate, or an empty text. */
  private String location(HttpResponse<String> answer) {
    if (answer.statusCode() != 201) {
      return "";
    }
    issued.incrementAndGet();
    Matcher serial = SERIAL.matcher(answer.headers().firstValue("Location").orElse(""));
    return serial.find() ? CERTIFICATES + "/" + serial.group(1) : "";
  }

  private void get(String path, String token) throws IOException, InterruptedException {
    if (!path.isEmpty()) {
      HttpResponse<String> _ = send(request(path, token).GET());
    }
  }

  private HttpRequest.Builder request(String path, String token) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + token);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
