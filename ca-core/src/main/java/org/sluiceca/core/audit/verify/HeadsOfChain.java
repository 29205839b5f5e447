package org.sluiceca.core.audit.verify;

import java.util.Arrays;
import java.util.Optional;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.verify.CoveredHeads.Covered;
import org.sluiceca.core.x509.OctetString;

/**
 * The covered rows of one chain, in the order of their numbers, in arrays: as objects they would
 * take five times as much. For one thread.
 */
final class HeadsOfChain {

  private static final int HASH_OCTETS = ChainHead.nothing().length();
  private static final int ROOM_MIN = 4;

  private int size;
  private long[] sequences = new long[ROOM_MIN];
  private long[] checkpoints = new long[ROOM_MIN];
  private byte[] hashes = new byte[ROOM_MIN * HASH_OCTETS];

  /**
   * Adds what is said about a row, unless something is: what was exported comes first. In the order
   * of the checkpoints' numbers, which is that of the rows, it is added at the end.
   */
  void add(long sequence, Covered covered) {
    int found = Arrays.binarySearch(sequences, 0, size, sequence);
    if (found >= 0) {
      return;
    }
    if (size == sequences.length) {
      grow();
    }
    int at = -found - 1;
    System.arraycopy(sequences, at, sequences, at + 1, size - at);
    System.arraycopy(checkpoints, at, checkpoints, at + 1, size - at);
    System.arraycopy(
        hashes, at * HASH_OCTETS, hashes, (at + 1) * HASH_OCTETS, (size - at) * HASH_OCTETS);
    sequences[at] = sequence;
    checkpoints[at] = covered.checkpoint();
    System.arraycopy(covered.hash().octets(), 0, hashes, at * HASH_OCTETS, HASH_OCTETS);
    size++;
  }

  private void grow() {
    int room = Math.addExact(size, size / 2 + 1);
    sequences = Arrays.copyOf(sequences, room);
    checkpoints = Arrays.copyOf(checkpoints, room);
    hashes = Arrays.copyOf(hashes, Math.multiplyExact(room, HASH_OCTETS));
  }

  /** What is said about a row. */
  Optional<Covered> at(long sequence) {
    int at = Arrays.binarySearch(sequences, 0, size, sequence);
    if (at < 0) {
      return Optional.empty();
    }
    byte[] hash = Arrays.copyOfRange(hashes, at * HASH_OCTETS, (at + 1) * HASH_OCTETS);
    return Optional.of(new Covered(OctetString.copyOf(hash), checkpoints[at]));
  }

  /** Returns the last row that is covered; 0 if none is. */
  long highest() {
    return size == 0 ? 0 : sequences[size - 1];
  }
}
