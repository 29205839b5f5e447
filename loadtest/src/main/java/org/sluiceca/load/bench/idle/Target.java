package org.sluiceca.load.bench.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.sluiceca.load.acme.Answer;
import org.sluiceca.load.acme.Connection;
import org.sluiceca.load.call.Http;

/**
 * What is asked, and how: the head of each request, and the bodies of all, one after another and
 * then again. Bodies are read as they are needed, since one-time tokens for hours do not fit
 * memory. Thread-safe, but each connection is for one thread.
 */
final class Target implements AutoCloseable {

  private static final int CREATED = 201;

  private final SSLSocketFactory tls;
  private final URI url;
  private final String fields;
  private final Path bodies;
  private final ReentrantLock lock = new ReentrantLock();
  private BufferedReader reader;

  private Target(SSLSocketFactory tls, URI url, String fields, Path bodies) throws IOException {
    this.tls = tls;
    this.url = url;
    this.fields = fields;
    this.bodies = bodies;
    this.reader = Files.newBufferedReader(bodies);
  }

  /**
   * A CA on this machine.
   *
   * @param root that its certificate chains to, in PEM
   * @param head the path, then a line each field
   * @param bodies a line each
   */
  static Target at(int port, Path root, Path head, Path bodies) throws IOException {
    List<String> lines = Files.readAllLines(head);
    String fields = lines.stream().skip(1).map(line -> line + "\r\n").collect(Collectors.joining());
    URI url = URI.create("https://localhost:" + port + lines.getFirst());
    try {
      return new Target(Http.trusting(root).getSocketFactory(), url, fields, bodies);
    } catch (GeneralSecurityException e) {
      throw new IOException(root + " is no root certificate: " + e.getMessage(), e);
    }
  }

  /** One kept connection, which is opened again after a failure. */
  final class Kept implements Load.Caller, AutoCloseable {

    private final Connection connection = new Connection(tls, url.getPort());

    /** Connects, so that the first request is not the one that waits for it. */
    private Kept() throws IOException {
      connection.open();
    }

    @Override
    public Optional<String> call() throws IOException {
      Answer answer = connection.post(url, fields, next());
      return answer.status() == CREATED ? Optional.empty() : Optional.of(answer.text());
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }

  Kept connect() throws IOException {
    return new Kept();
  }

  private byte[] next() throws IOException {
    lock.lock();
    try {
      String line = reader.readLine();
      if (line == null) {
        reader.close();
        reader = Files.newBufferedReader(bodies);
        line = reader.readLine();
      }
      if (line == null) {
        throw new IOException("no bodies in " + bodies);
      }
      return line.getBytes(StandardCharsets.UTF_8);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      reader.close();
    } finally {
      lock.unlock();
    }
  }
}
