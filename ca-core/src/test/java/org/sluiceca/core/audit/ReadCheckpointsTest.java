package org.sluiceca.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryCheckpointStore;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.OctetString;

/** What a node learns from checkpoints of other nodes. */
class ReadCheckpointsTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final SoftwareKey ANOTHER = SoftwareKey.named("ec-p256");
  private static final Instant NOW = Fixtures.NOW;

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final ReadCheckpoints read =
      new ReadCheckpoints(
          store,
          new PostSignCheck(name -> Optional.of(KEY.publicKey()), new BouncyCastleVerifier()));

  private static ChainHead head(String chain, long sequence) {
    return new ChainHead(chain, sequence, ChainHead.nothing());
  }

  private static Checkpoint checkpoint(long number, ChainHead... heads) {
    return new Checkpoint(number, ChainHead.nothing(), NOW.plusSeconds(number), List.of(heads));
  }

  private void sign(Checkpoint checkpoint, SoftwareKey key) {
    OctetString content = checkpoint.encoded();
    store.forge(checkpoint.number(), content, key.sign(RecordedCheckpoint.ALGORITHM, content));
  }

  @Test
  void read_ofAnotherNodeAfterOneOfOnesOwn_coversItsChains() {
    Checkpoint own = checkpoint(1, head("a", 3));
    sign(own, KEY);
    read.took(own);
    sign(checkpoint(2, head("a", 5), head("b", 7)), KEY);

    assertThat(read.read().map(CheckpointStore.Numbered::number)).contains(2L);

    assertThat(read.coveredTo("a")).isEqualTo(5);
    assertThat(read.coveredTo("b")).isEqualTo(7);
    assertThat(read.coveredTo("c")).isZero();
    assertThat(read.newestTaken()).contains(NOW.plusSeconds(2));
    assertThat(read.refused()).isEmpty();
  }

  /** The first checkpoint of each start lists all chains. */
  @Test
  void read_atTheStart_knownAndNotCovered() {
    sign(checkpoint(1, head("a", 3)), KEY);

    assertThat(read.read()).isPresent();

    assertThat(read.coveredTo("a")).isZero();
    assertThat(read.verifiedTo("a")).isEqualTo(3);
    assertThat(read.signed()).containsEntry("a", head("a", 3));
  }

  @Test
  void read_byAnotherKey_refusedOnceAndCoversNothing() {
    Checkpoint own = checkpoint(1, head("a", 3));
    sign(own, KEY);
    read.took(own);
    sign(checkpoint(2, head("a", 5)), ANOTHER);

    assertThat(read.read()).isPresent();

    assertThat(read.refused()).containsExactly(2L);
    assertThat(read.coveredTo("a")).isEqualTo(3);
    assertThat(read.verifiedTo("a")).isEqualTo(3);
    assertThat(read.signed()).as("it only alarms").containsEntry("a", head("a", 5));
    assertThat(read.newestTaken()).isEmpty();
    assertThat(read.read()).isPresent();
    assertThat(read.refused()).isEmpty();
  }

  @Test
  void read_nothingRecorded_empty() {
    assertThat(read.read()).isEmpty();
    assertThat(read.newestTaken()).isEmpty();
  }
}
