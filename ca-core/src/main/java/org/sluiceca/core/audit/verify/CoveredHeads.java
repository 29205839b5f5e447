package org.sluiceca.core.audit.verify;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.x509.OctetString;

/**
 * The heads that checkpoints record for each chain. All of them are kept: an attacker who may add
 * rows can produce any number of later heads, and they must not displace the head that reveals
 * rewritten rows. For one thread.
 *
 * <p>It costs 48 octets, and half as many again of room to grow, for each checkpoint in which a
 * chain grew: some 40 MB for a busy node's year of a checkpoint each minute.
 */
final class CoveredHeads {

  /** A head and who says so. */
  record Covered(OctetString hash, long checkpoint) {}

  private final Map<String, HeadsOfChain> heads = new HashMap<>();
  private final Set<String> unvisited = new HashSet<>();
  private long newest;
  private Instant newestTakenAt = Instant.MIN;

  void add(Checkpoint checkpoint) {
    for (ChainHead head : checkpoint.heads()) {
      heads
          .computeIfAbsent(head.chain(), chain -> new HeadsOfChain())
          .add(head.sequence(), new Covered(head.hash(), checkpoint.number()));
      unvisited.add(head.chain());
    }
    if (checkpoint.number() > newest) {
      newest = checkpoint.number();
      newestTakenAt = checkpoint.takenAt();
    }
  }

  /** What is said about a row. */
  Optional<Covered> at(String chain, long sequence) {
    @Nullable HeadsOfChain kept = heads.get(chain);
    return kept == null ? Optional.empty() : kept.at(sequence);
  }

  /** Returns the last row of the chain that is covered; 0 if none is. */
  long highest(String chain) {
    @Nullable HeadsOfChain kept = heads.get(chain);
    return kept == null ? 0 : kept.highest();
  }

  void visited(String chain) {
    unvisited.remove(chain);
  }

  /** Returns the chains that checkpoints cover and that have not been visited. */
  Set<String> unvisited() {
    return Set.copyOf(unvisited);
  }

  /** The number of the youngest checkpoint; 0 if there is none. */
  long newest() {
    return newest;
  }

  Instant newestTakenAt() {
    return newestTakenAt;
  }
}
