package org.sluiceca.core.audit;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.OctetString;

/**
 * Keeps checkpoints, which are only ever added. Blocks for a few seconds at most; every method
 * throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the store does not
 * answer, and may be repeated.
 */
public interface CheckpointStore {

  /** A checkpoint's bytes under the number that it has in the store. */
  record Numbered(long number, OctetString encoded) {}

  /**
   * What stands in the store as a signed checkpoint: any of it may have been put there by another
   * program.
   */
  record Signed(long number, OctetString encoded, OctetString signature) {}

  /** Returns the checkpoint of the highest number, signed or not. */
  Optional<Numbered> latest();

  /** Returns those after {@code number} that are signed, in order, at most {@code max}. */
  List<Signed> signedAfter(long number, int max);

  /** Returns the head of every chain that has a row, in the order of the chains. */
  List<ChainHead> heads();

  /** Records a checkpoint durably; false, changing nothing, if its number is taken. */
  boolean record(Checkpoint checkpoint);

  /** Records the signature of a recorded checkpoint; the first one stands. */
  void recordSignature(long number, OctetString signature);
}
