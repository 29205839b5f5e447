package org.sluiceca.hsm;

/**
 * Listens to what happens at a token. Methods are called from session threads: they must not block
 * and must not throw.
 */
public interface HsmObserver {
  /** Hears nothing. */
  HsmObserver NONE =
      new HsmObserver() {
        @Override
        public void signed(SignObservation signing) {}

        @Override
        public void recovered(RecoveryReason reason) {}

        @Override
        public void stateChanged(HsmState state) {}
      };

  /** A session thread is done with a job. */
  void signed(SignObservation signing);

  /** A session that had failed works again; reported once per session, or once for a lost token. */
  void recovered(RecoveryReason reason);

  /** The token's state is now this one. */
  void stateChanged(HsmState state);

  /**
   * Something to log about the process of an isolated module, or a line that the module printed:
   * one line of printable characters, at most 500, and a bounded number of them.
   */
  default void noted(String line) {}
}
