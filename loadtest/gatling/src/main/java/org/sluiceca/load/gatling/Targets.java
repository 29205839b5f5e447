package org.sluiceca.load.gatling;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.load.scenario.wire.Terms;

/** The nodes as a load balancer sees them: each request goes to the next one. Thread-safe. */
final class Targets {

  private final List<Integer> https;
  private final List<Integer> http;
  private final AtomicInteger turn = new AtomicInteger();

  Targets(Terms terms) {
    this.https = terms.httpsPorts();
    this.http = terms.httpPorts();
  }

  /** Returns the number of the next node. */
  int next() {
    return Math.floorMod(turn.getAndIncrement(), https.size());
  }

  String secure(int node, String path) {
    return "https://localhost:" + https.get(node) + path;
  }

  String plain(int node, String path) {
    return "http://localhost:" + http.get(node) + path;
  }
}
