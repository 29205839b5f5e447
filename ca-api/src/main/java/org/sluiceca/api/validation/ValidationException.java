package org.sluiceca.api.validation;

/** An attempt ended without a proof; carries the verdict from where it was found out. */
public final class ValidationException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Verdict.Failed verdict;

  public ValidationException(Verdict.Kind kind, String detail) {
    // No stack trace: it is a result, and the other machine could make them many.
    super(detail, null, false, false);
    this.verdict = new Verdict.Failed(kind, detail);
  }

  /** Returns how the attempt ended. */
  public Verdict.Failed verdict() {
    return verdict;
  }
}
