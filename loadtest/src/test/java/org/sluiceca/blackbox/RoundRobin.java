package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * nginx in front of both nodes of a trial: TLS and connections that are kept on both sides, each
 * request to the other node than the one before.
 */
final class RoundRobin implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final Path folder;
  private final Process process;
  private final Api api;

  private RoundRobin(Path folder, Process process, Api api) {
    this.folder = folder;
    this.process = process;
    this.api = api;
  }

  /** Starts it on {@code port} with a certificate of its own. */
  static RoundRobin start(Path nginx, Trial trial, int port) {
    Path folder = TrialExtension.newFolder();
    try {
      selfSigned(folder);
      Files.copy(trial.data().resolve("root.pem"), folder.resolve("root.pem"));
      Files.writeString(
          folder.resolve("nginx.conf"),
          configuration(trial.https(0).getPort(), trial.https(1).getPort(), port));
      Process process =
          new ProcessBuilder(
                  nginx.toString(), "-p", folder.toString(), "-e", "error.log", "-c", "nginx.conf")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output.txt").toFile())
              .start();
      Api api = Api.trusting(URI.create("https://localhost:" + port), folder.resolve("front.pem"));
      RoundRobin front = new RoundRobin(folder, process, api);
      Poll.until("nginx listens", START_LIMIT, () -> front.isListening(port));
      return front;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes front.pem, which certifies itself for localhost, and its front.key. */
  static void selfSigned(Path folder) {
    Program.Ended _ =
        Program.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-keyout",
                folder.resolve("front.key"),
                "-out",
                folder.resolve("front.pem"),
                "-subj",
                "/CN=front",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-days",
                "2")
            .run()
            .ok();
  }

  private static String configuration(int one, int other, int port) {
    return """
      daemon off;
      worker_processes 1;
      pid nginx.pid;
      error_log error.log;
      events {}
      http {
        log_format node '$upstream_addr $status $request_method $uri';
        access_log access.log node;
        client_body_temp_path tmp;
        proxy_temp_path tmp;
        fastcgi_temp_path tmp;
        uwsgi_temp_path tmp;
        scgi_temp_path tmp;
        upstream nodes {
          server 127.0.0.1:%d;
          server 127.0.0.1:%d;
          keepalive 8;
          keepalive_timeout 5s;
        }
        server {
          listen 127.0.0.1:%d ssl;
          ssl_certificate front.pem;
          ssl_certificate_key front.key;
          location / {
            proxy_pass https://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_ssl_trusted_certificate root.pem;
            proxy_ssl_verify on;
            proxy_ssl_verify_depth 3;
            proxy_ssl_name localhost;
            proxy_next_upstream off;
          }
        }
      }
      """
        .formatted(one, other, port);
  }

  /** A client of it without a credential. */
  Api api() {
    return api;
  }

  /** What its clients trust. */
  Path certificate() {
    return folder.resolve("front.pem");
  }

  /** Which node each request went to, by address and port, in the order of the answers. */
  List<String> nodes() {
    return lines().stream().map(line -> line.split(" ", 2)[0]).toList();
  }

  /** A line for each request: node, status, method, path. */
  List<String> lines() {
    return read("access.log").lines().toList();
  }

  private boolean isListening(int port) {
    if (!process.isAlive()) {
      throw new AssertionError("nginx ended: " + read("output.txt") + read("error.log"));
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String read(String file) {
    try {
      return Files.readString(folder.resolve(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("nginx does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    Trial.delete(folder);
  }
}
