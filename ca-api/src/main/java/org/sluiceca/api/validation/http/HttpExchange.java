package org.sluiceca.api.validation.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.Timeout;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.tls.Guard;
import org.sluiceca.api.validation.tls.UnverifiedTls;
import org.sluiceca.core.x509.IpLiteral;

/**
 * One GET to one address, on a connection of its own. Follows no redirect, keeps no cookie,
 * decompresses nothing, and resolves no name: the socket is connected to the address given.
 */
final class HttpExchange {

  /** What is read of a body; a key authorization has 128 octets or so. */
  static final int BODY_BYTES_MAX = 64 * 1024;

  /** Of the status line and of each header field; the default of many servers. */
  private static final int LINE_CHARACTERS_MAX = 8 * 1024;

  /** Header fields; the default of many servers. */
  private static final int FIELDS_MAX = 100;

  private static final String USER_AGENT = "Sluice (ACME validation)";

  private HttpExchange() {}

  /**
   * What the machine answered.
   *
   * @param location of a redirect
   * @param body of a status 200 alone, octets as ISO 8859-1, at most one more than {@value
   *     #BODY_BYTES_MAX}
   */
  record Answer(int status, Optional<String> location, String body) {}

  /** No connection was made, so that another address may be tried. */
  static final class NotConnectedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotConnectedException(IOException cause) {
      super(cause);
    }
  }

  /**
   * Sends a request and reads the answer. Blocks until {@code limit} at most.
   *
   * @param socket not connected; closed at the end
   * @param host a name, or an address without brackets
   * @param connectTime of {@code limit}, for the connection alone
   * @throws NotConnectedException if the machine cannot be reached at this address
   * @throws IOException if there is no whole answer within the bounds
   */
  static Answer get(
      Socket socket,
      URI uri,
      String host,
      InetAddress address,
      Duration connectTime,
      TimeLimit limit)
      throws IOException {
    try (CloseableHttpClient client = client(socket, host, address, connectTime, limit)) {
      // The socket ends first: the client would wait for the rest of a body.
      try (socket;
          Guard _ = Guard.of(socket, limit)) {
        HttpHost target = new HttpHost(uri.getScheme(), address, host, uri.getPort());
        return read(client.executeOpen(target, new HttpGet(uri), null));
      }
    } catch (IOException e) {
      // Stays true after the end of a connection.
      throw socket.isConnected() ? e : new NotConnectedException(e);
    }
  }

  private static Answer read(ClassicHttpResponse response) throws IOException {
    Header location = response.getFirstHeader("Location");
    HttpEntity entity = response.getEntity();
    String body = "";
    if (response.getCode() == HttpStatus.SC_OK && entity != null) {
      InputStream content = entity.getContent();
      if (content != null) {
        body = new String(content.readNBytes(BODY_BYTES_MAX + 1), StandardCharsets.ISO_8859_1);
      }
    }
    return new Answer(
        response.getCode(),
        Optional.ofNullable(location == null ? null : location.getValue()),
        body);
  }

  private static CloseableHttpClient client(
      Socket socket, String host, InetAddress address, Duration connectTime, TimeLimit limit) {
    Timeout left = Timeout.of(limit.left());
    TlsSocketStrategy tls =
        (plain, name, port, attachment, context) ->
            UnverifiedTls.upgrade(
                plain, IpLiteral.parse(host).isPresent() ? "" : host, port, List.of());
    BasicHttpClientConnectionManager connections =
        new BasicHttpClientConnectionManager(
            new DefaultHttpClientConnectionOperator(
                proxy -> socket,
                null,
                pinned(address),
                RegistryBuilder.<TlsSocketStrategy>create()
                    .register(URIScheme.HTTPS.id, tls)
                    .build()),
            ManagedHttpClientConnectionFactory.builder()
                .http1Config(
                    Http1Config.custom()
                        .setMaxLineLength(LINE_CHARACTERS_MAX)
                        .setMaxHeaderCount(FIELDS_MAX)
                        .build())
                .build());
    connections.setSocketConfig(SocketConfig.custom().setSoTimeout(left).build());
    connections.setConnectionConfig(
        ConnectionConfig.custom()
            .setConnectTimeout(Timeout.of(connectTime))
            .setSocketTimeout(left)
            .build());
    return HttpClientBuilder.create()
        .setConnectionManager(connections)
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setAuthenticationEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .setResponseTimeout(left)
                .build())
        .setUserAgent(USER_AGENT)
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableContentCompression()
        .disableAuthCaching()
        .disableConnectionState()
        .build();
  }

  private static DnsResolver pinned(InetAddress address) {
    return new DnsResolver() {
      @Override
      public InetAddress[] resolve(String host) {
        return new InetAddress[] {address};
      }

      @Override
      public String resolveCanonicalHostname(String host) {
        return host;
      }
    };
  }
}
