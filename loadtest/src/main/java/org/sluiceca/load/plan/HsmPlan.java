package org.sluiceca.load.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * The simulated HSM that the nodes share.
 *
 * @param profile of nethsm
 * @param servers 1 to 256
 * @param rate signatures a second of all servers together: the plan's capacity
 * @param queue jobs that wait in it at most
 * @param busy the answer of a full queue, a name or number of a CKR
 * @param rttMillis the round trip
 */
public record HsmPlan(
    String profile, int servers, double rate, int queue, String busy, double rttMillis) {

  /** All classes of nethsm cost the same, so that the rate is one number. */
  private static final List<String> CLASSES =
      List.of("rsa-2048", "rsa-3072", "rsa-4096", "ec-p256", "ec-p384", "ed25519");

  /** Validates. */
  public HsmPlan {
    PlanFile.range("hsm.servers", servers, 1, 256);
    PlanFile.range("hsm.rate", rate, 1, 100_000);
    PlanFile.range("hsm.queue", queue, 0, 4096);
    PlanFile.range("hsm.rtt", rttMillis, 0, 60_000);
  }

  HsmPlan withRate(double other) {
    return new HsmPlan(profile, servers, other, queue, busy, rttMillis);
  }

  /** Returns how long one server works on a signature, in milliseconds. */
  public double serviceMillis() {
    return 1000 * servers / rate;
  }

  /** Returns the words of {@code nethsm STATE create …}. */
  public List<String> createWords() {
    List<String> words =
        new ArrayList<>(
            List.of(
                "create", "--profile", profile, "--servers", "" + servers, "--queue", "" + queue));
    words.addAll(List.of("--busy", busy, "--rtt", "" + rttMillis));
    for (String keyClass : CLASSES) {
      words.addAll(List.of("--service", keyClass + "=" + serviceMillis()));
    }
    return words;
  }
}
