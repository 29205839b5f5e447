package org.sluiceca.load.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.soak.judge.LineJudge;
import org.sluiceca.load.soak.judge.SilenceJudge;

/**
 * How long a soak lasts, and the nodes' settings for it: CRLs and OCSP answers as short-lived as
 * the service allows, so that many come and go.
 *
 * @param seconds of the soak, without its end and the upset that is going on then
 * @param perSecond certificates issued
 */
public record SoakTerms(int seconds, double perSecond) {

  /** Of {@code sluice.crl.shards}. */
  private static final int SHARDS = 2;

  static final Duration CRL_LIFETIME = Duration.ofSeconds(75);

  /**
   * A revocation on a CRL: a second, and what a dead node leaves to others; this machine is busy.
   */
  static final Duration PUBLISHED = Duration.ofSeconds(30);

  /** Nodes ask four times a second. */
  private static final Duration BEHIND = Duration.ofSeconds(15);

  /** Nodes ask once a second. */
  static final Duration OCSP_HEARD = Duration.ofSeconds(15);

  /** A request is given up after 4 s. */
  private static final Duration SILENT = Duration.ofSeconds(10);

  /** Since a node began or went on: it has much to do then. */
  private static final Duration AWAKE = Duration.ofSeconds(15);

  private static final Duration KEPT = CRL_LIFETIME.multipliedBy(3);

  /** Revocations stop for longer than a CRL holds, so that CRLs must come in their turn. */
  private static final int BUSY_SECONDS = 70;

  private static final int QUIET_SECONDS = 90;

  /** Below, there is no time for quiet, nor for nodes that stop for longer than a CRL holds. */
  private static final int LONG_SECONDS = 240;

  /**
   * Of one CRL and its deltas.
   *
   * @param path of the complete one
   */
  record Scope(String path, String deltaPath) {}

  static List<Scope> scopes() {
    List<Scope> scopes = new ArrayList<>();
    scopes.add(new Scope("/crl/issuing.crl", "/crl/issuing/delta.crl"));
    for (int shard = 1; shard <= SHARDS; shard++) {
      scopes.add(
          new Scope("/crl/issuing/" + shard + ".crl", "/crl/issuing/" + shard + "-delta.crl"));
    }
    return scopes;
  }

  static LineJudge.Bounds bounds() {
    return new LineJudge.Bounds(PUBLISHED, BEHIND, KEPT);
  }

  static SilenceJudge.Bounds silence() {
    return new SilenceJudge.Bounds(SILENT, AWAKE);
  }

  /** Returns what is set in the nodes' environment. */
  public static Map<String, String> environment() {
    return Map.of(
        "SLUICE_CRL_PERIOD", "60s",
        "SLUICE_CRL_LIFETIME", CRL_LIFETIME.toSeconds() + "s",
        "SLUICE_CRL_SHARDS", "" + SHARDS,
        "SLUICE_CRL_DELTA_INTERVAL", "10s",
        "SLUICE_CRL_DELTA_LIFETIME", "40s",
        "SLUICE_OCSP_LIFETIME", "60s");
  }

  /** Returns whether it lasts for several lifetimes. */
  boolean isLong() {
    return seconds >= LONG_SECONDS;
  }

  /** Returns whether certificates are revoked this many seconds after the beginning. */
  boolean isBusy(double second) {
    return !isLong() || second % (BUSY_SECONDS + QUIET_SECONDS) < BUSY_SECONDS;
  }
}
