package org.sluiceca.api.validation.tls;

import java.net.InetSocketAddress;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;

/** What is said of a machine that cannot be reached. */
public final class Connections {

  private Connections() {}

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
