package org.sluiceca.client.http;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Via;

/** The nodes of a service, and which of them is asked now. Not thread-safe. */
final class Nodes {
  private final Connection connection;
  private final List<URI> urls;
  private final Console console;
  private int current;
  private boolean answered;
  private boolean late;

  /** Begins with the first of the connection's URLs. */
  Nodes(Connection connection, Console console) {
    this.connection = connection;
    this.urls = connection.urls();
    this.console = console;
  }

  /** The URL of the node that is asked now. */
  URI current() {
    return urls.get(current);
  }

  /** The proxy that leads to that node; empty if none does. */
  Optional<Via> proxy() {
    return connection.proxies().via(current());
  }

  /** The node that is asked now, and the proxy where one leads to it: for messages. */
  String place() {
    return current() + proxy().map(proxy -> " by " + proxy).orElse("");
  }

  /** Asks the next node from now on, after the last one the first. */
  void next() {
    current = (current + 1) % urls.size();
  }

  /** Records that a node has answered this command: from now on all may be away for a while. */
  void answered() {
    answered = true;
  }

  /**
   * Goes on to the next node after no connection to the current one was made.
   *
   * @param tried how many nodes have made none in this try, 1 or more
   * @param refused whether this one refused it at once; false if it was not there in time, as of a
   *     node that is busy
   * @return false if none makes one that may make one later: a node has answered this command
   *     before, or is only late
   * @throws Failure if all nodes refuse and none has ever answered this command
   */
  boolean goesOnAfter(int tried, boolean refused) {
    late |= !refused;
    if (tried >= urls.size() && (answered || late)) {
      return false;
    }
    if (tried >= urls.size()) {
      String all = urls.stream().map(URI::toString).collect(Collectors.joining(" "));
      throw Failure.of(
          "nothing answers at "
              + all
              + proxy().map(proxy -> " by " + proxy + ": are both up?").orElse(": is it up?"));
    }
    String silent = place();
    next();
    console.say("nothing answers at %s: trying %s", silent, current());
    return true;
  }
}
