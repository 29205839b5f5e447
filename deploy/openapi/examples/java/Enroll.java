import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.sluiceca.generated.ApiClient;
import org.sluiceca.generated.ApiException;
import org.sluiceca.generated.ApiResponse;
import org.sluiceca.generated.api.DefaultApi;
import org.sluiceca.generated.model.Certificate;
import org.sluiceca.generated.model.CertificatePage;
import org.sluiceca.generated.model.Enrollment;
import org.sluiceca.generated.model.Problem;

/**
 * Enrolls a certificate, finds it again, and asks for one that does not exist, with the generated
 * client. Run: {@code java -cp … Enroll.java URL CA-FILE TOKEN-FILE CSR-FILE}.
 * docs/GENERATED-CLIENTS.md has how the client is generated.
 */
final class Enroll {

  /** Longer than the ten seconds that the service waits for the HSM by itself. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** By name a certificate is found some hundred milliseconds after it was issued. */
  private static final Duration FOUND = Duration.ofSeconds(20);

  /** Of the form of a serial number of this CA, and of no certificate. */
  private static final String UNKNOWN_SERIAL = "01".repeat(19);

  private static final int CREATED = 201;
  private static final int NOT_FOUND = 404;
  private static final int PAGE = 20;

  private final ApiClient client;
  private final DefaultApi api;

  private Enroll(String url, Path caFile, Path tokenFile)
      throws IOException, GeneralSecurityException {
    String token = Files.readString(tokenFile).strip();
    client =
        new ApiClient()
            .setHttpClientBuilder(
                HttpClient.newBuilder().sslContext(trusting(caFile)).connectTimeout(TIMEOUT))
            .setReadTimeout(TIMEOUT)
            .setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    client.updateBaseUri(url);
    api = new DefaultApi(client);
  }

  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    if (args.length != 4) {
      System.err.println("usage: Enroll URL CA-FILE TOKEN-FILE CSR-FILE");
      System.exit(2);
    }
    var example = new Enroll(args[0], Path.of(args[1]), Path.of(args[2]));
    Path csr = Path.of(args[3]);
    Certificate issued = example.enroll(csr);
    System.out.println("issued " + issued.getSerial());
    example.find(issued, csr.getFileName().toString().replace(".csr", ""));
    example.askForWhatDoesNotExist();
  }

  private static SSLContext trusting(Path caFile) throws IOException, GeneralSecurityException {
    KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
    roots.load(null, null);
    try (InputStream in = Files.newInputStream(caFile)) {
      int i = 0;
      for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        roots.setCertificateEntry("ca-" + i++, certificate);
      }
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(roots);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /**
   * The body is JSON: the client knows the first content type of a request alone. {@code enroll}
   * would take the order that comes with 202 for a certificate, so the status is read.
   */
  private Certificate enroll(Path csr) throws IOException, ApiException {
    Enrollment enrollment = new Enrollment().profile("tls-server").csr(Files.readString(csr));
    ApiResponse<Certificate> answer = api.enrollWithHttpInfo(enrollment, null, null, null);
    if (answer.getStatusCode() != CREATED) {
      throw new IOException("not issued yet: ask " + answer.getHeaders().get("location"));
    }
    return answer.getData();
  }

  private void find(Certificate issued, String name)
      throws IOException, ApiException, InterruptedException {
    Certificate read = api.getCertificate(issued.getSerial());
    if (!read.getCertificate().equals(issued.getCertificate())) {
      throw new IOException(issued.getSerial() + " is another certificate");
    }
    Instant deadline = Instant.now().plus(FOUND);
    while (!isFoundByName(name, issued.getSerial())) {
      if (Instant.now().isAfter(deadline)) {
        throw new IOException(issued.getSerial() + " is not among those of " + name);
      }
      Thread.sleep(Duration.ofMillis(200));
    }
    System.out.println("found " + read.getSerial() + " " + read.getStatus());
  }

  private boolean isFoundByName(String name, String serial) throws ApiException {
    CertificatePage page =
        api.findCertificates(
            null, name, null, null, null, null, null, null, null, null, PAGE, null);
    return page.getCertificates().stream().anyMatch(found -> found.getSerial().equals(serial));
  }

  private void askForWhatDoesNotExist() throws IOException, ApiException {
    try {
      api.getCertificate(UNKNOWN_SERIAL);
    } catch (ApiException e) {
      if (e.getCode() != NOT_FOUND) {
        throw e;
      }
      // The client does not parse errors: the body is a problem (RFC 9457).
      Problem problem = client.getObjectMapper().readValue(e.getResponseBody(), Problem.class);
      System.out.println("problem " + problem.getStatus() + " " + problem.getType());
      return;
    }
    throw new IOException("a certificate that does not exist was found");
  }
}
