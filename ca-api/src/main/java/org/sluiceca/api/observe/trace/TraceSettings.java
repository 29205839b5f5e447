package org.sluiceca.api.observe.trace;

import java.net.URI;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether and where traces are sent.
 *
 * @param endpoint the collector's URL for traces by OTLP over HTTP, as {@code
 *     http://localhost:4318/v1/traces}; empty for no traces
 * @param sampled the part of requests that is traced, above 0, at most 1
 */
public record TraceSettings(
    @DefaultValue("") String endpoint, @DefaultValue("0.1") double sampled) {

  /** Validates. */
  public TraceSettings {
    if (!(sampled > 0) || sampled > 1) {
      throw new IllegalArgumentException(
          "tracing.sampled " + sampled + ": above 0, at most 1; to trace nothing, no endpoint");
    }
    if (!endpoint.isEmpty()) {
      check(endpoint);
    }
  }

  private static void check(String endpoint) {
    URI uri = URI.create(endpoint);
    boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!isHttp || uri.getHost() == null || uri.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "tracing.endpoint must be a URL of http or https with a host and without a password");
    }
  }

  /** Returns where to, if anywhere. */
  Optional<URI> collector() {
    return endpoint.isEmpty() ? Optional.empty() : Optional.of(URI.create(endpoint));
  }
}
