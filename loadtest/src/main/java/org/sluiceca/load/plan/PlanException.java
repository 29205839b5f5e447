package org.sluiceca.load.plan;

/** A plan says something that no run can do; the message names the key. */
public final class PlanException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public PlanException(String message) {
    super(message);
  }
}
