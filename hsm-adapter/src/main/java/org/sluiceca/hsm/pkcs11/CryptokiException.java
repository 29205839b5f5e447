package org.sluiceca.hsm.pkcs11;

/** A PKCS#11 function that did not return CKR_OK. What that means is vendor data. */
public final class CryptokiException extends RuntimeException {
  private final String function;
  private final Ckr ckr;

  /**
   * Function {@code function} returned {@code ckr}.
   *
   * @param function the function's name, {@code C_Sign} for example
   */
  public CryptokiException(String function, Ckr ckr) {
    super(function + ": " + ckr);
    this.function = function;
    this.ckr = ckr;
  }

  @Override
  public String getMessage() {
    return function + ": " + ckr;
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
