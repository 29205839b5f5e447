package org.sluiceca.hsm.pkcs11;

/** A PKCS#11 function that did not return CKR_OK. What that means is vendor data. */
public final class CryptokiException extends RuntimeException {
  private final String function;
  private final Ckr ckr;
  private final String reason;

  /**
   * Function {@code function} returned {@code ckr}.
   *
   * @param function the function's name, {@code C_Sign} for example
   */
  public CryptokiException(String function, Ckr ckr) {
    this(function, ckr, "");
  }

  /**
   * The same, where more is known than a return value.
   *
   * @param reason for people, empty if there is none
   */
  public CryptokiException(String function, Ckr ckr, String reason) {
    super(function + ": " + ckr);
    this.function = function;
    this.ckr = ckr;
    this.reason = reason;
  }

  @Override
  public String getMessage() {
    return function + ": " + ckr + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  /** The function's name. */
  public String function() {
    return function;
  }

  /** What it returned. */
  public Ckr ckr() {
    return ckr;
  }

  /** Whether C_Sign itself had been entered: before that no signature can exist. */
  public boolean hadEnteredSign() {
    return function.equals("C_Sign");
  }
}
