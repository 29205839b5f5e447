package org.sluiceca.hsm;

/** A token that signs. */
@SuppressWarnings("DoNotCallSuggester")
public final class HsmSigner implements AutoCloseable {
  private HsmSigner() {}

  /** Opens. */
  public static HsmSigner open(HsmSettings settings, HsmObserver observer) {
    throw new UnsupportedOperationException();
  }

  /** Signs. */
  public byte[] sign(SignRequest request) {
    throw new UnsupportedOperationException();
  }

  /** Snapshot. */
  public HsmStats stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
