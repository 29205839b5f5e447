package org.sluiceca.core.revoke;

/** What came of the wish to revoke or to release. */
public sealed interface RevocationResult {

  /**
   * Durable.
   *
   * @param isNew whether this call recorded it; if not, it stood already
   */
  record Done(RevocationStatus status, boolean isNew) implements RevocationResult {}

  /** Contradicts what stands. */
  record Refused(String detail) implements RevocationResult {}

  /** Others decided about the certificate again and again meanwhile: ask again. */
  record Outrun() implements RevocationResult {}
}
