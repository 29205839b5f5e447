package org.sluiceca.hsm.vendor;

import static java.util.Map.entry;
import static org.sluiceca.hsm.vendor.FailureClass.BUSY;
import static org.sluiceca.hsm.vendor.FailureClass.HANDLE_LOST;
import static org.sluiceca.hsm.vendor.FailureClass.LOGIN_LOST;
import static org.sluiceca.hsm.vendor.FailureClass.PIN_REFUSED;
import static org.sluiceca.hsm.vendor.FailureClass.REQUEST_REFUSED;
import static org.sluiceca.hsm.vendor.FailureClass.SESSION_LOST;
import static org.sluiceca.hsm.vendor.FailureClass.TOKEN_LOST;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.CryptokiException;

/**
 * What the return values of one vendor's module mean.
 *
 * @param name for messages
 * @param classes meaning by code; a code that is not here is UNKNOWN
 * @param reinitialiseWhenLost whether a lost token is looked for with a fresh C_Initialize when it
 *     is not found without; done only while no call runs in the module
 */
public record CkrProfile(
    String name, Map<Ckr, FailureClass> classes, boolean reinitialiseWhenLost) {

  /** The standard's meaning (PKCS#11 v3.1 section 5.1), for modules we have no data of. */
  public static final CkrProfile DEFAULT =
      new CkrProfile(
          "default",
          Map.ofEntries(
              code(0x02, BUSY), // CKR_HOST_MEMORY
              code(0x31, BUSY), // CKR_DEVICE_MEMORY
              code(0xB1, BUSY), // CKR_SESSION_COUNT: other applications hold them
              code(0xB0, SESSION_LOST), // CKR_SESSION_CLOSED
              code(0xB3, SESSION_LOST), // CKR_SESSION_HANDLE_INVALID
              // An operation left open by a failed call: the session is of no more use.
              code(0x90, SESSION_LOST), // CKR_OPERATION_ACTIVE
              code(0x91, SESSION_LOST), // CKR_OPERATION_NOT_INITIALIZED
              code(0x101, LOGIN_LOST), // CKR_USER_NOT_LOGGED_IN
              code(0x60, HANDLE_LOST), // CKR_KEY_HANDLE_INVALID
              code(0x82, HANDLE_LOST), // CKR_OBJECT_HANDLE_INVALID
              code(0x03, TOKEN_LOST), // CKR_SLOT_ID_INVALID
              code(0x05, TOKEN_LOST), // CKR_GENERAL_ERROR
              code(0x06, TOKEN_LOST), // CKR_FUNCTION_FAILED
              code(0x30, TOKEN_LOST), // CKR_DEVICE_ERROR
              code(0x32, TOKEN_LOST), // CKR_DEVICE_REMOVED
              code(0xE0, TOKEN_LOST), // CKR_TOKEN_NOT_PRESENT
              code(0xE1, TOKEN_LOST), // CKR_TOKEN_NOT_RECOGNIZED
              code(0x190, TOKEN_LOST), // CKR_CRYPTOKI_NOT_INITIALIZED
              code(0xA0, PIN_REFUSED), // CKR_PIN_INCORRECT
              code(0xA1, PIN_REFUSED), // CKR_PIN_INVALID
              code(0xA2, PIN_REFUSED), // CKR_PIN_LEN_RANGE
              code(0xA3, PIN_REFUSED), // CKR_PIN_EXPIRED
              code(0xA4, PIN_REFUSED), // CKR_PIN_LOCKED
              code(0x102, PIN_REFUSED), // CKR_USER_PIN_NOT_INITIALIZED
              code(0x07, REQUEST_REFUSED), // CKR_ARGUMENTS_BAD
              code(0x20, REQUEST_REFUSED), // CKR_DATA_INVALID
              code(0x21, REQUEST_REFUSED), // CKR_DATA_LEN_RANGE
              code(0x54, REQUEST_REFUSED), // CKR_FUNCTION_NOT_SUPPORTED
              code(0x62, REQUEST_REFUSED), // CKR_KEY_SIZE_RANGE
              code(0x63, REQUEST_REFUSED), // CKR_KEY_TYPE_INCONSISTENT
              code(0x68, REQUEST_REFUSED), // CKR_KEY_FUNCTION_NOT_PERMITTED
              code(0x70, REQUEST_REFUSED), // CKR_MECHANISM_INVALID
              code(0x71, REQUEST_REFUSED)), // CKR_MECHANISM_PARAM_INVALID
          true);

  /**
   * SoftHSM 2.6.1: once it has seen its token directory gone it answers CKR_GENERAL_ERROR to
   * C_GetTokenInfo for ever; only C_Finalize and C_Initialize make it look again.
   */
  public static final CkrProfile SOFTHSM = new CkrProfile("softhsm", DEFAULT.classes(), true);

  /** AWS CloudHSM: busy is CKR_FUNCTION_FAILED (SDK 5) or CKR_OPERATION_ACTIVE (SDK 3). */
  public static final CkrProfile CLOUDHSM =
      DEFAULT.with("cloudhsm", Map.of(Ckr.FUNCTION_FAILED, BUSY, Ckr.OPERATION_ACTIVE, BUSY));

  /** Google Cloud KMS: busy is CKR_DEVICE_ERROR. */
  public static final CkrProfile GOOGLE_KMS =
      DEFAULT.with("google-kms", Map.of(Ckr.DEVICE_ERROR, BUSY));

  /** Copies the map. */
  public CkrProfile {
    classes = Map.copyOf(classes);
  }

  /** The profile that the library's file name suggests; the default for an unknown one. */
  public static CkrProfile forModule(Path module) {
    String file = String.valueOf(module.getFileName());
    if (file.contains("softhsm")) {
      return SOFTHSM;
    }
    if (file.contains("cloudhsm")) {
      return CLOUDHSM;
    }
    return file.contains("kmsp11") ? GOOGLE_KMS : DEFAULT;
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

  private CkrProfile with(String otherName, Map<Ckr, FailureClass> differences) {
    Map<Ckr, FailureClass> merged = new HashMap<>(classes);
    merged.putAll(differences);
    return new CkrProfile(otherName, merged, reinitialiseWhenLost);
  }

  private static Map.Entry<Ckr, FailureClass> code(long code, FailureClass meaning) {
    return entry(new Ckr(code), meaning);
  }
}
