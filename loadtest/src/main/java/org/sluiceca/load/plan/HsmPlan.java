package org.sluiceca.load.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.cli.InputException;

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
 * @param services milliseconds of the kinds of key that take another time than servers / rate
 * @param ecServers servers that sign with EC keys alone, while the others sign with RSA keys alone;
 *     0 if all sign with all
 * @param isBackup whether nodes sign here only what no other HSM can do in time
 * @param issuers whose keys it holds; empty for all
 */
public record HsmPlan(
    String name,
    String profile,
    int servers,
    double rate,
    int queue,
    String busy,
    double rttMillis,
    Map<String, Double> services,
    int ecServers,
    boolean isBackup,
    List<String> issuers) {

  /** The name of an HSM that is alone, which no plan says. */
  public static final String ALONE = "hsm";

  /** Kinds of key: classes of nethsm, and algorithms of the ceremony. */
  static final List<String> KINDS =
      List.of("rsa-2048", "rsa-3072", "rsa-4096", "ec-p256", "ec-p384", "ed25519");

  private static final double SERVICE_MILLIS_MAX = 60_000;

  /** Validates. */
  public HsmPlan {
    if (!name.matches("[a-z][a-z0-9-]{0,15}")) {
      throw new InputException("not a name for an HSM: '" + name + "'");
    }
    PlanFile.range("hsm.servers", servers, 1, 256);
    PlanFile.range("hsm.rate", rate, 1, 100_000);
    PlanFile.range("hsm.queue", queue, 0, 4096);
    PlanFile.range("hsm.rtt", rttMillis, 0, 60_000);
    PlanFile.range("hsm.ec-servers", ecServers, 0, servers - 1);
    services = Map.copyOf(services);
    issuers = List.copyOf(issuers);
    services.forEach(
        (kind, millis) -> PlanFile.range("hsm.service." + kind, millis, 0.001, SERVICE_MILLIS_MAX));
  }

  /** Returns the same HSM, {@code times} times as fast with every kind of key. */
  HsmPlan faster(double times) {
    Map<String, Double> shorter = new HashMap<>(services);
    shorter.replaceAll((kind, millis) -> millis / times);
    return new HsmPlan(
        name,
        profile,
        servers,
        rate * times,
        queue,
        busy,
        rttMillis,
        shorter,
        ecServers,
        isBackup,
        issuers);
  }

  /** Returns whether it has the key of this issuer. */
  public boolean holds(String issuer) {
    return issuers.isEmpty() || issuers.contains(issuer);
  }

  /** Returns how long one server works on a signature by this kind of key, in milliseconds. */
  public double serviceMillis(String kind) {
    return services.getOrDefault(kind, 1000 * servers / rate);
  }

  /** Returns the words of {@code nethsm STATE create …}. */
  public List<String> createWords() {
    List<String> words =
        new ArrayList<>(
            List.of(
                "create", "--profile", profile, "--servers", "" + servers, "--queue", "" + queue));
    words.addAll(List.of("--busy", busy, "--rtt", "" + rttMillis));
    if (ecServers > 0) {
      words.addAll(List.of("--ec-servers", "" + ecServers));
    }
    for (String kind : KINDS) {
      words.addAll(List.of("--service", kind + "=" + serviceMillis(kind)));
    }
    return words;
  }
}
