package org.sluiceca.api.hsm.token;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.hsm.lease.SharedToken;
import org.sluiceca.api.hsm.lease.WindowSettings;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.route.TokenGroup;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.signer.EngineLane;
import org.sluiceca.hsm.signer.HsmSigner;

/**
 * Opens tokens with the window that their calibration allows, and lists those that are to be shared
 * for as long as they are open. Thread-safe.
 */
public final class SharingOpener implements TokenGroup.Opener {

  /** The name of a token that is configured alone. */
  public static final String ALONE = "hsm-0";

  /** Between a token and the name of a group of its engines, where it has several. */
  private static final String ENGINES = "/";

  private final WindowSettings windows;
  private final Function<String, Optional<Calibration>> calibrations;
  private final Windows report;
  private final List<SharedToken> shared = new CopyOnWriteArrayList<>();

  /** Hears which window a token got. */
  @FunctionalInterface
  public interface Windows {
    /**
     * Reports that the token of that name and identity is open; one with several groups of engines
     * is reported group by group, {@code name/ec}.
     *
     * @return what to run when it closes; of that name another may be open by then
     */
    Runnable opened(String token, String hsm, Window window);
  }

  /**
   * Opens by these settings.
   *
   * @param windows for a token that says nothing of its own; its name is not looked at
   * @param calibrations by the token's identity in the database; may throw LedgerUnavailable
   */
  public SharingOpener(
      WindowSettings windows,
      Function<String, Optional<Calibration>> calibrations,
      Windows report) {
    this.windows = windows;
    this.calibrations = calibrations;
    this.report = report;
  }

  /** The tokens that are open and to be shared now. */
  public List<SharedToken> shared() {
    return shared;
  }

  /** A token alone is known to all nodes by its label; several may have one label, so by name. */
  public static String identity(TokenSettings token) {
    return token.name().equals(ALONE) ? token.hsm().tokenLabel() : token.name();
  }

  @Override
  public TokenSigner open(TokenSettings token, Collection<KeyRef> keys, HsmObserver observer) {
    String hsm = identity(token);
    WindowSettings asked =
        new WindowSettings(
            hsm,
            windows.kind(),
            token.isSizedByWindow() ? 0 : token.hsm().sessions(),
            windows.deviceQueue(),
            windows.nodesMax());
    Optional<Calibration> calibration = calibration(hsm);
    List<? extends Window> opened = asked.windows(measured(keys, calibration), calibration);
    HsmSigner signer =
        HsmSigner.open(token.hsm().withWindows(asked.sessionsFor(opened), opened), keys, observer);
    List<Runnable> leave = new ArrayList<>();
    try {
      for (EngineLane lane : signer.engines()) {
        String engines = signer.engines().size() == 1 ? "" : ENGINES + name(lane.window());
        leave.add(report.opened(token.name() + engines, hsm + engines, lane.window()));
        asked.shared(lane.window()).ifPresent(w -> leave.add(share(hsm + engines, w, lane)));
      }
      return signer.leavingBy(() -> leave.forEach(Runnable::run));
    } catch (RuntimeException e) {
      // Its keeper never hears of it, and would open another.
      leave.forEach(Runnable::run);
      signer.close();
      throw e;
    }
  }

  private Runnable share(String hsm, Window.Steered window, EngineLane lane) {
    SharedToken entry = new SharedToken(hsm, Limits.of(window), lane::report, lane::lease);
    shared.add(entry);
    return () -> shared.remove(entry);
  }

  private static String name(Window window) {
    return switch (window) {
      case Window.Fixed _ -> "all";
      case Window.Steered steered -> steered.engines().name();
    };
  }

  /** A token is measured for the issuers that it holds; it is asked for the keys of all. */
  private static Collection<KeyRef> measured(
      Collection<KeyRef> keys, Optional<Calibration> calibration) {
    List<KeyRef> measured =
        keys.stream()
            .filter(
                key ->
                    calibration
                        .filter(
                            c ->
                                c.baseSeconds()
                                    .containsKey(HsmIssuerSigner.signatureClass(key.publicKey())))
                        .isPresent())
            .toList();
    return measured.isEmpty() ? keys : measured;
  }

  private Optional<Calibration> calibration(String hsm) {
    try {
      return calibrations.apply(hsm);
    } catch (LedgerUnavailable e) {
      // Opened without it, the token would be driven at a guess for as long as the node lives.
      throw new HsmException.Unexpected("no calibration: " + e.getMessage(), false);
    }
  }
}
