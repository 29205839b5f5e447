package org.sluiceca.core.admit;

/** Gives back places that nobody holds, as a line would that releases twice. For mutants. */
public final class PlaceThief {

  private PlaceThief() {}

  /** Releases one place too many. */
  public static void release(Admission admission) {
    admission.release(false);
  }
}
