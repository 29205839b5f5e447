package org.sluiceca.load.drill;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/**
 * The nodes of a drill and what its clients need of them.
 *
 * @param token of a requester
 * @param csrs in base64
 */
record Trial(TrialNodes nodes, SSLContext tls, String token, List<String> csrs) {

  private static final int CSRS = 500;
  private static final int CLIENTS = 8;

  /** Starts {@code count} nodes on a database; if it is empty, a ceremony is held. */
  static Trial start(Place place, String databaseUrl, int count)
      throws IOException, GeneralSecurityException {
    TrialNodes nodes = place.nodes(databaseUrl);
    nodes.up(count);
    SSLContext tls = nodes.tls();
    try (NodeAddresses doors = new NodeAddresses(nodes, tls)) {
      String token = doors.register("drill", "tls-server");
      return new Trial(nodes, tls, token, CsrCorpus.make(CSRS));
    }
  }

  /** The same clients, of nodes that have another database. */
  Trial with(TrialNodes others) {
    return new Trial(others, tls, token, csrs);
  }

  /** Starts clients at all nodes. */
  Clients clients(String run) {
    return Clients.insistent(tls, nodes.httpsPort(), nodes.count(), requests(run), CLIENTS);
  }

  /** What clients of a run ask for. */
  Clients.Requests requests(String run) {
    return new Clients.Requests(token, run, csrs);
  }

  /** Opens what else is asked of nodes; the caller closes it. */
  NodeAddresses doors() {
    return new NodeAddresses(nodes, tls);
  }
}
