package org.sluiceca.api.http.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.connector.BoundedProtocol;
import org.sluiceca.api.http.connector.ProblemReportValve;
import org.sluiceca.api.observe.ConnectionMetrics;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.RequestContextFilter;

/** The HTTPS connector's bounds, and the plain HTTP connector next to it. */
@Configuration(proxyBeanMethods = false)
public class ServerConfiguration {

  /** Fetching a CRL takes one request; a client that is slower than this is not fetching. */
  private static final int TIMEOUT_MILLIS = 10_000;

  /** Ours are a dozen, a proxy adds a few, a browser has twenty. */
  private static final int HEADERS_MAX = 64;

  /** Nothing here reads trailers or chunk extensions: enough to skip an honest one. */
  private static final int CHUNK_EXTRAS_BYTES_MAX = 1_024;

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectors(
      CaProperties properties,
      @Value("${server.address}") InetAddress address,
      @Value("${server.max-http-request-header-size}") DataSize headMax,
      ObjectProvider<MeterRegistry> registry) {
    return factory -> {
      ConnectionMetrics metrics = new ConnectionMetrics(registry.getObject());
      factory.setProtocol(BoundedProtocol.class.getName());
      HttpSettings http = properties.http();
      factory.addConnectorCustomizers(connector -> bound(connector, http, metrics));
      factory.addContextCustomizers(
          context -> {
            if (context.getParent() instanceof StandardHost host) {
              host.setErrorReportValveClass(ProblemReportValve.class.getName());
            }
          });
      Connector plain = plain(properties.httpPort(), address, http.plainConnections(), headMax);
      bound(plain, http, metrics);
      factory.addAdditionalConnectors(plain);
    };
  }

  @Bean
  HttpSettings httpSettings(CaProperties properties) {
    return properties.http();
  }

  /**
   * Disables the filter: the dispatcher exposes the request to its threads, and no filter needs it.
   */
  @Bean
  FilterRegistrationBean<RequestContextFilter> noRequestContext() {
    FilterRegistrationBean<RequestContextFilter> none =
        new FilterRegistrationBean<>(new RequestContextFilter());
    none.setEnabled(false);
    return none;
  }

  private static Connector plain(
      int port, InetAddress address, int connectionsMax, DataSize headMax) {
    BoundedProtocol protocol = new BoundedProtocol();
    protocol.setAddress(address);
    protocol.setConnectionTimeout(TIMEOUT_MILLIS);
    protocol.setMaxConnections(connectionsMax);
    protocol.setMaxHttpRequestHeaderSize(Math.toIntExact(headMax.toBytes()));
    Connector connector = new Connector(protocol);
    connector.setPort(port);
    connector.setScheme("http");
    connector.setSecure(false);
    return connector;
  }

  private static void bound(Connector connector, HttpSettings http, ConnectionMetrics metrics) {
    connector.setXpoweredBy(false);
    connector.setAllowTrace(false);
    // OCSP requests in paths have it (RFC 5019 5); in any other path the firewall refuses it.
    connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
    if (connector.getProtocolHandler() instanceof BoundedProtocol protocol) {
      protocol.limit(http);
      protocol.setMaxHeaderCount(HEADERS_MAX);
      protocol.setMaxExtensionSize(CHUNK_EXTRAS_BYTES_MAX);
      protocol.setMaxTrailerSize(CHUNK_EXTRAS_BYTES_MAX);
      // No client is asked to send a body (100 Continue) before the application wants to read it.
      protocol.setContinueResponseTiming("onRead");
      metrics.watch(protocol, connector.getScheme());
    }
  }
}
