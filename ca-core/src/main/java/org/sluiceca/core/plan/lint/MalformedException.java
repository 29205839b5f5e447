package org.sluiceca.core.plan.lint;

/** The bytes of a planned certificate are not what {@link DerElement} reads. */
final class MalformedException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedException(String fault) {
    super(fault, null, false, false);
  }

  String fault() {
    return String.valueOf(getMessage());
  }
}
