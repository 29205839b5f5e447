package org.sluiceca.core.sign;

import org.sluiceca.core.time.Pending;
import org.sluiceca.core.x509.OctetString;

/**
 * A signature that its client's thread has prepared, and that whichever thread makes its intent
 * durable starts. {@link #await} then ends as {@link IssuerSigner#sign} does.
 */
public interface PendingSignature extends Pending<OctetString> {

  /**
   * Asks the signer; to be called once. Never blocks and never throws: what fails is thrown to the
   * thread that waits.
   */
  void start(Signable signable, SignSchedule schedule);

  /**
   * Returns whether another thread is making it now, which will unpark the thread that prepared or
   * last awaited it. Any thread may ask.
   */
  boolean isUnderWay();

  /**
   * Gives it up, for the thread that would wait for it: a token's queue must know that no thread
   * looks after a call that hangs. Does nothing if it has ended or was never started.
   */
  void abandon();
}
