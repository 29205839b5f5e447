package org.sluiceca.hsm.signer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyFindings;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.isolate.IsolatedCryptoki;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.session.TokenSessions;
import org.sluiceca.hsm.settings.HsmSettings;

/** One PKCS#11 token that signs, behind a bounded lane for each group of its engines. */
public final class HsmSigner implements TokenSigner {
  /*
   * Each group of engines has a TokenSessions of its own: queue, window, session threads and
   * recovery. They share the module and its login, as tokens of one module do (ModuleUsers), and
   * nothing else: one group's hang or backlog is not the other's (docs/adr/0024).
   */

  /** What a queue of one second and its calls need; a drain that lasts longer is a hang. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final List<EngineLane> engines;

  /** Ends the module's process, if it has one. */
  private final Runnable endModule;

  private final Runnable leave;

  private HsmSigner(List<EngineLane> engines, Runnable leave, Runnable endModule) {
    this.engines = engines;
    this.leave = leave;
    this.endModule = endModule;
  }

  /** Returns the same token, which runs {@code leave} before it closes. */
  public HsmSigner leavingBy(Runnable leave) {
    return new HsmSigner(engines, leave, endModule);
  }

  /**
   * Opens the token without asking for any key: keys are then looked for when they are first used.
   *
   * @throws HsmException as {@link #open(HsmSettings, Collection, HsmObserver)}
   */
  public static HsmSigner open(HsmSettings settings, HsmObserver observer) {
    return open(settings, List.of(), observer);
  }

  /**
   * Loads the module, finds the token by its label, logs in, looks for the keys and starts the
   * session threads. Blocks as long as the token takes, and up to 30 s while other processes of
   * this machine log in; an isolated module also up to 20 s for its process to start.
   *
   * @param keys what to look for: {@link #keys} returns which are there, so that a caller that is
   *     to sign with one that is not can say so before the first request has been accepted
   * @throws HsmException with one clear line: module or token missing, PIN unreadable or refused
   */
  public static HsmSigner open(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer) {
    if (settings.isolated()) {
      return openIsolated(settings, keys, observer);
    }
    return open(settings, keys, observer, WrapperCryptoki.load(settings.module()));
  }

  private static HsmSigner openIsolated(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer) {
    IsolatedCryptoki module =
        IsolatedCryptoki.start(settings.module(), settings.tokenLabel(), observer);
    boolean isOpen = false;
    try {
      HsmSigner signer =
          new HsmSigner(start(settings, keys, observer, module), () -> {}, module::close);
      isOpen = true;
      return signer;
    } finally {
      if (!isOpen) {
        module.close();
      }
    }
  }

  static HsmSigner open(HsmSettings settings, HsmObserver observer, Cryptoki cryptoki) {
    return open(settings, List.of(), observer, cryptoki);
  }

  static HsmSigner open(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer, Cryptoki cryptoki) {
    return new HsmSigner(start(settings, keys, observer, cryptoki), () -> {}, () -> {});
  }

  /**
   * Opens every group before any takes the rest of its sessions. The first is asked for all keys:
   * which engines sign with them changes nothing there.
   */
  private static List<EngineLane> start(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer, Cryptoki cryptoki) {
    List<EngineLane> opened = new ArrayList<>();
    boolean isOpen = false;
    try {
      for (HsmSettings group : apart(settings)) {
        Collection<KeyRef> asked = opened.isEmpty() ? keys : List.of();
        opened.add(
            new EngineLane(group.window(), TokenSessions.open(group, asked, observer, cryptoki)));
      }
      isOpen = true;
    } finally {
      if (!isOpen) {
        close(opened);
      }
    }
    opened.forEach(lane -> lane.sessions().run());
    return List.copyOf(opened);
  }

  /** The settings of each group: sessions in proportion to the widest windows, at least one. */
  private static List<HsmSettings> apart(HsmSettings settings) {
    if (settings.windows().size() == 1) {
      return List.of(settings);
    }
    double all = settings.windows().stream().mapToDouble(HsmSigner::widest).sum();
    int spare = settings.sessions() - settings.windows().size();
    List<HsmSettings> groups = new ArrayList<>();
    double before = 0;
    for (Window window : settings.windows()) {
      double after = before + spare * widest(window) / all;
      // Rounded where each begins and ends, so that none is lost.
      int sessions = 1 + (int) (Math.round(after) - Math.round(before));
      groups.add(settings.withWindows(sessions, List.of(window)));
      before = after;
    }
    return groups;
  }

  private static double widest(Window window) {
    return switch (window) {
      case Window.Fixed(int jobs) -> jobs;
      case Window.Steered steered -> Limits.of(steered).windowMax();
    };
  }

  /**
   * {@inheritDoc}
   *
   * <p>A failure before C_Sign is tried once more inside; nothing else is. {@link
   * HsmException.Saturated} and a lost token are reported at once, without touching the token.
   */
  @Override
  public StartedSignature start(SignRequest request, Thread waiter) {
    return engines(request.key(), request.mechanism()).sessions().client().start(request, waiter);
  }

  private EngineLane engines(KeyRef key, Mechanism mechanism) {
    return engines.get(enginesFor(key, mechanism));
  }

  /** What was not measured is signed where other keys of its kind are, else by the first group. */
  @Override
  public int enginesFor(KeyRef key, Mechanism mechanism) {
    if (engines.size() == 1) {
      return 0;
    }
    SignatureClass signatureClass = SignatureClass.of(mechanism, key);
    int ofKind = 0;
    for (int i = 0; i < engines.size(); i++) {
      if (engines.get(i).signs(signatureClass)) {
        return i;
      }
      ofKind = engines.get(i).signsWith(mechanism.keyKind()) ? i : ofKind;
    }
    return ofKind;
  }

  /** The ways to its groups of engines, in the order of the settings' windows. */
  public List<EngineLane> engines() {
    return engines;
  }

  @Override
  public HsmStats stats() {
    return HsmStats.together(engines.stream().map(lane -> lane.sessions().stats()).toList());
  }

  @Override
  public HsmStats statsFor(KeyRef key, Mechanism mechanism) {
    return engines(key, mechanism).sessions().stats();
  }

  @Override
  public long costNanos(KeyRef key, Mechanism mechanism) {
    return engines(key, mechanism).sessions().lane().costNanos(SignatureClass.of(mechanism, key));
  }

  @Override
  public long occupiedNanos(KeyRef key, Mechanism mechanism) {
    return costNanos(key, mechanism) / engines(key, mechanism).count();
  }

  @Override
  public KeyFindings keys() {
    return engines.getFirst().sessions().keys();
  }

  /**
   * {@inheritDoc} The module is never finalised; that of an isolated module ends with its process,
   * which is given 3 s.
   */
  @Override
  public void close() {
    leave.run();
    close(engines);
    endModule.run();
  }

  private static void close(List<EngineLane> lanes) {
    // All at once, so that their queues finish side by side.
    lanes.forEach(lane -> lane.sessions().refuse());
    long until = System.nanoTime() + DRAIN.toNanos();
    lanes.forEach(lane -> lane.sessions().close(until));
  }
}
