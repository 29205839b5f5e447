package org.sluiceca.core.crl;

import java.util.Optional;
import org.sluiceca.core.crl.CrlStore.SignedCrl;

/** What came of an attempt at a delta CRL. */
public sealed interface DeltaOutcome {

  /** It is signed and recorded. */
  record Issued(SignedCrl crl) implements DeltaOutcome {}

  /** Another node got the number. */
  record NumberTaken() implements DeltaOutcome {}

  /**
   * There is no CRL that a delta could be to (RFC 5280 5.2.4), and until one has come in its turn
   * there will be none.
   */
  record NoBase() implements DeltaOutcome {}

  /** Returns the delta, if there is one. */
  default Optional<SignedCrl> signed() {
    return this instanceof Issued issued ? Optional.of(issued.crl()) : Optional.empty();
  }
}
