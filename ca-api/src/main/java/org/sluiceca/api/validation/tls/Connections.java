package org.sluiceca.api.validation.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;

/** What is said of a machine that cannot be reached. */
public final class Connections {

  private Connections() {}

  /**
   * Returns a socket that is not connected.
   *
   * @param source the address of this host from which it will connect; empty for any
   * @throws ValidationException if this host does not have the address
   */
  public static Socket socket(Optional<InetAddress> source) throws ValidationException {
    Socket socket = new Socket();
    if (source.isPresent()) {
      try {
        socket.bind(new InetSocketAddress(source.get(), 0));
      } catch (IOException _) {
        throw new ValidationException(
            Verdict.Kind.SERVER_INTERNAL,
            "this CA cannot connect from its source-address " + Endpoint.text(source.get()));
      }
    }
    return socket;
  }

  /** Returns the failure to connect to {@code target}, or to get an answer from it. */
  public static ValidationException failed(InetSocketAddress target, TimeLimit limit) {
    String where = Endpoint.text(target);
    return new ValidationException(
        Verdict.Kind.CONNECTION,
        limit.isOver()
            ? "no answer from " + where + " within " + limit.text() + ": is a firewall in between?"
            : "no connection to " + where + ": is it refused, or does no server listen there?");
  }
}
