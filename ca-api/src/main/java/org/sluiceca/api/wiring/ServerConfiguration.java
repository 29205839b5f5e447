package org.sluiceca.api.wiring;

import java.net.InetAddress;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The plain HTTP connector beside the HTTPS one. */
@Configuration(proxyBeanMethods = false)
public class ServerConfiguration {

  /** Fetching a CRL takes one request; a client that is slower than this is not fetching. */
  private static final int TIMEOUT_MILLIS = 10_000;

  /** Enough for relying parties behind a few proxies; more wait in the backlog. */
  private static final int CONNECTIONS_MAX = 1_024;

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> plainConnector(
      CaProperties properties, @Value("${server.address}") InetAddress address) {
    return factory -> {
      Connector connector = new Connector(Http11NioProtocol.class.getName());
      connector.setPort(properties.httpPort());
      connector.setScheme("http");
      connector.setSecure(false);
      connector.setXpoweredBy(false);
      if (connector.getProtocolHandler() instanceof Http11NioProtocol protocol) {
        protocol.setAddress(address);
        protocol.setConnectionTimeout(TIMEOUT_MILLIS);
        protocol.setMaxConnections(CONNECTIONS_MAX);
      }
      factory.addAdditionalConnectors(connector);
    };
  }
}
