package org.sluiceca.load.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A simulated HSM that the nodes share.
 *
 * @param name in events, goals, results and the nodes' tokens file
 * @param profile of nethsm
 * @param servers 1 to 256
 * @param rate signatures a second of all servers together
 * @param queue jobs that wait in it at most
 * @param busy the answer of a full queue, a name or number of a CKR
 * @param rttMillis the round trip
 * @param isBackup whether nodes sign here only what no other HSM can do in time
 */
public record HsmPlan(
    String name,
    String profile,
    int servers,
    double rate,
    int queue,
    String busy,
    double rttMillis,
    boolean isBackup) {

  /** The name of an HSM that is alone, which no plan says. */
  public static final String ALONE = "hsm";

  /** All classes of nethsm cost the same, so that the rate is one number. */
  private static final List<String> CLASSES =
      List.of("rsa-2048", "rsa-3072", "rsa-4096", "ec-p256", "ec-p384", "ed25519");

  /** Validates. */
  public HsmPlan {
    if (!name.matches("[a-z][a-z0-9-]{0,15}")) {
      throw new PlanException("not a name for an HSM: '" + name + "'");
    }
    PlanFile.range("hsm.servers", servers, 1, 256);
    PlanFile.range("hsm.rate", rate, 1, 100_000);
    PlanFile.range("hsm.queue", queue, 0, 4096);
    PlanFile.range("hsm.rtt", rttMillis, 0, 60_000);
  }

  HsmPlan faster(double times) {
    return new HsmPlan(name, profile, servers, rate * times, queue, busy, rttMillis, isBackup);
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
