package org.sluiceca.load.inside;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The state of a token at all nodes at one moment.
 *
 * @param atNanos by {@link System#nanoTime}
 * @param hsm its name
 * @param nodes that reported it
 * @param sessions open at all of them; each is a thread
 * @param window jobs that they may have in it at once, together
 * @param inflight jobs that they have in it
 * @param waiting jobs that wait for it in them
 */
public record TokenLook(
    long atNanos,
    String hsm,
    int nodes,
    double sessions,
    double window,
    double inflight,
    double waiting) {

  private static final String SESSIONS = "ca_hsm_sessions";
  private static final String WINDOW = "ca_hsm_inflight_limit";
  private static final String INFLIGHT = "ca_hsm_inflight";
  private static final String WAITING = "ca_sign_queue_depth";
  private static final String HSM = "hsm";

  /** Returns one look at each token that some node reports. */
  static List<TokenLook> of(long atNanos, List<List<Meter>> nodes) {
    TreeSet<String> names = new TreeSet<>();
    nodes.forEach(
        said ->
            said.stream()
                .filter(meter -> meter.name().equals(SESSIONS))
                .forEach(meter -> names.add(meter.labels().getOrDefault(HSM, ""))));
    List<TokenLook> looks = new ArrayList<>();
    for (String name : names) {
      int telling = 0;
      for (List<Meter> said : nodes) {
        telling += said.stream().anyMatch(meter -> meter.is(SESSIONS, HSM, name)) ? 1 : 0;
      }
      looks.add(
          new TokenLook(
              atNanos,
              name,
              telling,
              sum(nodes, SESSIONS, name),
              sum(nodes, WINDOW, name),
              sum(nodes, INFLIGHT, name),
              sum(nodes, WAITING, name)));
    }
    return looks;
  }

  private static double sum(List<List<Meter>> nodes, String name, String hsm) {
    return nodes.stream()
        .flatMap(List::stream)
        .filter(meter -> meter.is(name, HSM, hsm))
        .mapToDouble(Meter::value)
        .filter(Double::isFinite)
        .sum();
  }
}
