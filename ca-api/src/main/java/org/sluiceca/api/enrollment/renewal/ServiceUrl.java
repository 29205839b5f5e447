package org.sluiceca.api.enrollment.renewal;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The URL under which clients reach this service: {@code https}, a host and perhaps a port. All
 * nodes behind one balancer share it. It comes from the configuration, never from a Host or
 * X-Forwarded header, which a client chooses.
 *
 * @param text without a slash at the end
 */
public record ServiceUrl(String text) {

  /** Refuses what is not such a URL. */
  public ServiceUrl {
    URI uri = uri(text);
    boolean isBase =
        "https".equals(uri.getScheme())
            && uri.getHost() != null
            && uri.getRawUserInfo() == null
            && uri.getRawPath().isEmpty()
            && uri.getRawQuery() == null
            && uri.getRawFragment() == null;
    if (!isBase) {
      throw refused(text);
    }
  }

  /** Reads a setting; one slash at its end does not count. */
  public static ServiceUrl parse(String setting) {
    return new ServiceUrl(
        setting.endsWith("/") ? setting.substring(0, setting.length() - 1) : setting);
  }

  /** Returns the host, a DNS name or an IP address. */
  public String host() {
    return uri(text).getHost();
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw refused(text);
    }
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "sluice.service-url is '"
            + text
            + "': write https://host or https://host:port, without a path");
  }
}
