package org.sluiceca.client.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.Trust;
import org.sluiceca.client.http.stream.StreamedCall;
import org.sluiceca.client.http.stream.StreamedExchange;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Via;

/**
 * One try of a call: on the next node where one refuses the connection, otherwise never repeated.
 * Blocks; not thread-safe.
 */
final class Exchange implements AutoCloseable {
  private static final String LINES = "application/x-ndjson";
  private static final String PROXY_HEADER = "Proxy-Authorization";
  private static final int PROXY_REFUSES = 407;

  private final Connection connection;
  private final Nodes nodes;
  private final SSLContext context;
  private final HttpClient client;
  private String loss = "";
  private boolean sent;

  /**
   * @param connect how long one node may take for a connection, its TLS handshake included
   */
  Exchange(Connection connection, Nodes nodes, Duration connect) {
    this.connection = connection;
    this.nodes = nodes;
    this.context = Trust.of(connection);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(connect)
            .sslContext(context)
            .proxy(connection.proxies().selector())
            .build();
  }

  /**
   * Sends a call and reads its answer.
   *
   * @param answer how long one node may take for the whole answer
   * @return what {@link Service#isLost} says if no answer is whole in that time
   * @throws Failure if no node can be reached, or one is not trusted
   */
  Reply send(Call call, Duration answer) {
    for (int tried = 1; ; tried++) {
      sent = true;
      CompletableFuture<HttpResponse<byte[]>> response =
          client.sendAsync(
              request(call, answer),
              BodyHandlers.limiting(BodyHandlers.ofByteArray(), Service.BODY_MAX));
      try {
        HttpResponse<byte[]> read = response.get(answer.toMillis(), TimeUnit.MILLISECONDS);
        nodes.answered();
        requireProxyTakes(read.statusCode());
        return new Reply(read.statusCode(), read.headers(), read.body());
      } catch (ExecutionException e) {
        boolean refused = e.getCause() instanceof ConnectException;
        sent = !refused && !(e.getCause() instanceof HttpConnectTimeoutException);
        if (sent || !nodes.goesOnAfter(tried, refused)) {
          return lost(e.getCause());
        }
      } catch (TimeoutException e) {
        response.cancel(true);
        return lost(e);
      } catch (InterruptedException e) {
        response.cancel(true);
        Thread.currentThread().interrupt();
        throw Failure.of("interrupted");
      }
    }
  }

  /** As {@link Service#stream} says. */
  Reply stream(String path, StreamedCall call) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", LINES);
    headers.put("Accept", LINES);
    authorization().ifPresent(value -> headers.put("Authorization", value));
    for (int tried = 1; ; tried++) {
      try (StreamedExchange exchange =
          StreamedExchange.open(nodes.current(), context, connection.proxies())) {
        nodes.answered();
        StreamedExchange.Answer answer = exchange.run(path, headers, call);
        return new Reply(answer.status(), answer.headers(), answer.body());
      } catch (ConnectException e) {
        if (!nodes.goesOnAfter(tried, true)) {
          return lost(e);
        }
      } catch (IOException e) {
        return lost(e);
      }
    }
  }

  /** Whether the last call may have reached a node: false if no connection was made. */
  boolean mayHaveArrived() {
    return sent;
  }

  /** Why the last lost answer was lost, as the end of a sentence; empty if time was over. */
  String loss() {
    return loss;
  }

  private void requireProxyTakes(int status) {
    if (status == PROXY_REFUSES) {
      nodes
          .proxy()
          .ifPresent(
              via -> {
                throw Failure.of(via.refusal());
              });
    }
  }

  /** A node that is not trusted is never asked again; any other failure may pass. */
  private Reply lost(@Nullable Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException
          || cause instanceof CertPathValidatorException
          || cause instanceof CertPathBuilderException) {
        throw Failure.of(
            nodes.current() + " is not trusted: " + reason(cause) + " (--ca-file names its root)");
      }
    }
    loss = e == null || e instanceof TimeoutException ? "" : ": " + reason(e);
    return Service.lost();
  }

  private HttpRequest request(Call call, Duration answer) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(nodes.current() + call.path()))
            .timeout(answer)
            .method(call.method(), BodyPublishers.ofByteArray(call.body()));
    call.headers().forEach(builder::header);
    authorization().ifPresent(value -> builder.header("Authorization", value));
    // For the proxy alone: the JDK leaves it out of what goes through the tunnel.
    nodes.proxy().map(Via::authorization).ifPresent(value -> builder.header(PROXY_HEADER, value));
    return builder.build();
  }

  private Optional<String> authorization() {
    return connection.credential() instanceof Credential.Token token
        ? Optional.of("Bearer " + token.value())
        : Optional.empty();
  }

  private static String reason(Throwable e) {
    Throwable cause = e;
    for (Throwable deeper = e; deeper != null; deeper = deeper.getCause()) {
      cause = deeper;
    }
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return cause.getClass().getSimpleName() + " " + message;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
