package org.sluiceca.blackbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.sluiceca.blackbox.StatusCast.Member;

/** Who stands between a relying party and a trial's responder, and does not say what that says. */
final class LyingResponder implements AutoCloseable {

  private static final String PATH = "/ocsp";

  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final UnaryOperator<byte[]> lie;
  private final AtomicInteger told = new AtomicInteger();

  /**
   * Listens on a port of its own.
   *
   * @param lie makes the DER of a response of that of a request
   */
  LyingResponder(UnaryOperator<byte[]> lie) {
    this.lie = lie;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var ignored = server.createContext(PATH, this::answer);
    server.setExecutor(executor);
    server.start();
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + PATH);
  }

  /** How many responses there were. */
  int description() {
    return told.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] response = lie.apply(request(exchange));
      told.incrementAndGet();
      exchange.getResponseHeaders().set("Content-Type", "application/ocsp-response");
      exchange.sendResponseHeaders(200, response.length);
      exchange.getResponseBody().write(response);
    }
  }

  /** openssl and ocsptool send it by POST, the JDK by GET. */
  private static byte[] request(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("POST")) {
      return exchange.getRequestBody().readAllBytes();
    }
    String base64 =
        URLDecoder.decode(
            exchange.getRequestURI().getRawPath().substring(PATH.length()).replace("+", "%2B"),
            StandardCharsets.US_ASCII);
    return Base64.getDecoder().decode(base64.replaceFirst("^/+", ""));
  }

  /** The same request about another certificate of that issuer. */
  static byte[] about(X509Certificate other, X509Certificate asked, byte[] request) {
    return replaced(request, octets(asked.getSerialNumber()), octets(other.getSerialNumber()));
  }

  private static byte[] octets(BigInteger serialNumber) {
    return serialNumber.toByteArray();
  }

  private static byte[] replaced(byte[] all, byte[] old, byte[] fresh) {
    for (int i = 0; i + old.length <= all.length; i++) {
      if (Arrays.equals(all, i, i + old.length, old, 0, old.length)) {
        byte[] changed = all.clone();
        System.arraycopy(fresh, 0, changed, i, fresh.length);
        return changed;
      }
    }
    throw new AssertionError("the request does not have the serial number");
  }

  /**
   * A response that says good of {@code asked}, signed by {@code signer}: a certificate of the same
   * issuer that is for something else.
   */
  static byte[] good(Member asked, Member signer, byte[] request) {
    Path folder = asked.folder();
    try {
      Path response = Csr.write(folder, "");
      Program.of(
              "openssl",
              "ocsp",
              "-index",
              Csr.write(folder, "V\t491231235959Z\t\t%s\tunknown\t/CN=x\n".formatted(index(asked))),
              "-CA",
              asked.issuer().pem(),
              "-rsigner",
              signer.pem(),
              "-rkey",
              signer.csr().key(),
              "-nmin",
              5,
              "-reqin",
              Files.write(Csr.write(folder, ""), request),
              "-respout",
              response)
          .run()
          .ok();
      return Files.readAllBytes(response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As openssl's index has it: in capitals, whole octets. */
  private static String index(Member member) {
    return member.serial().toUpperCase(Locale.ROOT);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
