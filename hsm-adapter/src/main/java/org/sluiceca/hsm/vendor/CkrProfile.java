package org.sluiceca.hsm.vendor;

import java.nio.file.Path;
import java.util.Map;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.CryptokiException;

/**
 * What the return values of one vendor's module mean; the table is {@code ckr-profiles.txt}.
 *
 * @param name for messages
 * @param classes meaning by code; a code that is not here is UNKNOWN
 * @param reinitialiseWhenLost whether a lost token is looked for with a fresh C_Initialize when it
 *     is not found without; done only while no call runs in the module
 */
public record CkrProfile(
    String name, Map<Ckr, FailureClass> classes, boolean reinitialiseWhenLost) {

  private static final CkrProfiles SHIPPED = CkrProfiles.shipped();

  /** The standard's meaning (PKCS#11 v3.1 section 5.1), for modules we have no data of. */
  public static final CkrProfile DEFAULT = named("default");

  /** Copies the map. */
  public CkrProfile {
    classes = Map.copyOf(classes);
  }

  /**
   * The profile of this name.
   *
   * @throws IllegalArgumentException that says which there are
   */
  public static CkrProfile named(String name) {
    CkrProfile found = SHIPPED.byName().get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "no vendor '" + name + "'; there are " + String.join(", ", SHIPPED.byName().keySet()));
    }
    return found;
  }

  /** The profile that the library's file name suggests; the default for an unknown one. */
  public static CkrProfile forModule(Path module) {
    String file = String.valueOf(module.getFileName());
    return SHIPPED.byFilePart().entrySet().stream()
        .filter(e -> file.contains(e.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(DEFAULT);
  }

  /** What this code means here; UNKNOWN fails closed. */
  public FailureClass classify(Ckr ckr) {
    return classes.getOrDefault(ckr, FailureClass.UNKNOWN);
  }

  /** The failure that a caller gets to see; says whether a signature may exist. */
  public HsmException translate(CryptokiException e) {
    FailureClass failure = classify(e.ckr());
    boolean mayHaveExecuted = e.hadEnteredSign() && !failure.neverStarted();
    String message = e.getMessage() + " (" + failure + " by profile " + name + ")";
    return switch (failure) {
      case BUSY -> new HsmException.Busy(message);
      case SESSION_LOST, LOGIN_LOST, HANDLE_LOST ->
          new HsmException.SessionLost(message, mayHaveExecuted);
      case TOKEN_LOST -> new HsmException.TokenLost("token lost: " + message, mayHaveExecuted);
      case PIN_REFUSED -> new HsmException.PinRefused(message);
      case REQUEST_REFUSED -> new HsmException.RequestRefused(message);
      case UNKNOWN -> new HsmException.Unexpected(message, mayHaveExecuted);
    };
  }
}
