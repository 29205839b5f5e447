package org.sluiceca.api.http.access;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Knows which requests the node sends to itself before it is ready: they have no line in the access
 * log. A client cannot imitate the node, because the node holds the socket with that address and
 * port. Thread-safe.
 */
@Component
public final class OwnRequests {

  private volatile @Nullable InetSocketAddress sender;

  /** Counts what comes from {@code address} as the node's own, until {@link #end}. */
  public void begin(InetSocketAddress address) {
    sender = address;
  }

  /** Counts every request again. */
  public void end() {
    sender = null;
  }

  boolean contains(HttpServletRequest request) {
    InetSocketAddress own = sender;
    return own != null
        && own.getPort() == request.getRemotePort()
        && own.getAddress().getHostAddress().equals(request.getRemoteAddr());
  }
}
