package org.sluiceca.api.hsm.lease;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.limit.Limits;

/**
 * How a node may fill a token, as it was configured.
 *
 * @param hsm the token's label
 * @param sessions how many, each with a thread; 0 for as many as the window may need
 * @param deviceQueue jobs that wait inside the HSM before it says busy
 * @param nodesMax how many nodes share the token at most
 */
public record WindowSettings(String hsm, Kind kind, int sessions, int deviceQueue, int nodesMax) {

  private static final Logger LOG = LoggerFactory.getLogger(WindowSettings.class);

  /** Keeps a few engines of a network HSM busy, and both cores of a small host with SoftHSM. */
  public static final int FIXED_SESSIONS = 8;

  /** AWS CloudHSM allows 1,024 sessions per application; 256 threads drive any HSM we know. */
  private static final int SESSIONS_MAX = 256;

  /** How the jobs in the token are bounded. */
  public enum Kind {
    /** Divided among the nodes by measuring, through the database. */
    SHARED,
    /** Found by each node for itself, by measuring. */
    ALONE,
    /** One for each session. */
    FIXED
  }

  /**
   * Returns the windows that are asked for, one for each group of engines, if what they need is
   * known; else, with a warning, a fixed one for all.
   *
   * @param keys all that are to sign
   */
  public List<? extends Window> windows(
      Collection<KeyRef> keys, Optional<Calibration> calibration) {
    List<Window.Fixed> fixed = List.of(new Window.Fixed(sessions == 0 ? FIXED_SESSIONS : sessions));
    if (kind == Kind.FIXED) {
      return fixed;
    }
    if (calibration.isEmpty()) {
      LOG.warn(
          "token {} was never calibrated (./sluice ceremony calibrate): {} jobs at a time",
          hsm,
          fixed.getFirst().jobs());
      return fixed;
    }
    List<SignatureClass> unknown =
        keys.stream()
            .map(key -> HsmIssuerSigner.signatureClass(key.publicKey()))
            .filter(c -> !calibration.get().baseSeconds().containsKey(c))
            .distinct()
            .toList();
    if (!unknown.isEmpty()) {
      LOG.warn(
          "token {} was calibrated without {} (./sluice ceremony calibrate): {} jobs at a time",
          hsm,
          unknown,
          fixed.getFirst().jobs());
      return fixed;
    }
    List<EngineGroup> groups = calibration.get().groups();
    // The HSM's own queue is one, whatever waits in it.
    return groups.stream()
        .map(group -> new Window.Steered(group, deviceQueue / groups.size(), nodesMax))
        .toList();
  }

  /**
   * Returns how many sessions: as many as one node may need that has the token for itself, or as
   * many as were given; one for each window at least.
   */
  public int sessionsFor(List<? extends Window> windows) {
    if (sessions > 0) {
      return Math.max(sessions, windows.size());
    }
    int needed =
        windows.stream()
            .mapToInt(
                window ->
                    switch (window) {
                      case Window.Fixed(int jobs) -> jobs;
                      case Window.Steered steered ->
                          (int) Math.ceil(Limits.of(steered).windowMax());
                    })
            .sum();
    return Math.min(SESSIONS_MAX, needed);
  }

  /** Returns the window, if it is to be shared with other nodes. */
  public Optional<Window.Steered> shared(Window window) {
    return kind == Kind.SHARED && window instanceof Window.Steered steered
        ? Optional.of(steered)
        : Optional.empty();
  }
}
