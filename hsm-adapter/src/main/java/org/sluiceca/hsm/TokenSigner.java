package org.sluiceca.hsm;

/** One opened token: what {@code route} routes over. */
public interface TokenSigner extends RequestSigner, AutoCloseable {
  /** A snapshot; takes no lock. */
  HsmStats stats();

  /** The part of {@link #stats} that signs so with this key; takes no lock. */
  HsmStats statsFor(KeyRef key, Mechanism mechanism);

  /** Which of its groups of engines signs so with this key: 0 to 3. */
  int enginesFor(KeyRef key, Mechanism mechanism);

  /**
   * Returns the engine time of such a signature, in nanoseconds: the calibrated time, otherwise how
   * long recent ones stayed in the token; 0 if unknown. Takes the lane's lock for a moment.
   */
  long costNanos(KeyRef key, Mechanism mechanism);

  /**
   * Returns how much of the time of all engines that sign so such a signature takes, in
   * nanoseconds: {@link #costNanos} over their number where that was calibrated; 0 if unknown.
   */
  default long occupiedNanos(KeyRef key, Mechanism mechanism) {
    return costNanos(key, mechanism);
  }

  /** Which of the keys that it was asked for it held when it was opened. */
  KeyFindings keys();

  /**
   * Refuses new requests with {@link HsmException.Closed}, lets queued ones finish for up to 10 s,
   * then closes the sessions. A call that hangs is left behind.
   */
  @Override
  void close();
}
