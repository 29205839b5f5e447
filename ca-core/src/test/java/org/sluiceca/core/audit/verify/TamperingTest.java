package org.sluiceca.core.audit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.x509.OctetString;

/**
 * Each way of changing a trail is found, with the row named; and for each kind of finding a
 * verifier that leaves it out would be noticed.
 */
class TamperingTest {

  /**
   * Found where the ledger is read, which is not here: see VerificationTest in ca-api; and in
   * exports alone: see ExportVerifierTest.
   */
  private static final Set<Class<?>> ELSEWHERE =
      Set.of(
          Finding.CertificateChanged.class,
          Finding.CertificateMissing.class,
          Finding.RowOutOfOrder.class,
          Finding.RowDiffers.class,
          Finding.ExportFault.class);

  private static List<Finding> found(Tampering.Way way, Predicate<Finding> seen) {
    Trail trail = Trail.sound();
    way.change().accept(trail);
    List<Finding> found = new ArrayList<>();
    trail.verify(
        finding -> {
          if (seen.test(finding)) {
            found.add(finding);
          }
        });
    return found;
  }

  @Test
  void verify_soundTrail_nothingFound() {
    assertThat(Trail.sound().findings()).isEmpty();
    assertThat(new Trail().findings()).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> verify_tampered_foundWithItsRow() {
    return Tampering.ways().entrySet().stream()
        .map(
            way ->
                DynamicTest.dynamicTest(
                    way.getKey(),
                    () ->
                        assertThat(found(way.getValue(), finding -> true))
                            .containsExactlyInAnyOrderElementsOf(way.getValue().found())));
  }

  /** The permanent mutants: a verifier that skips one check fails at least one way above. */
  @TestFactory
  Stream<DynamicTest> verify_oneCheckLeftOut_noticed() {
    return kinds(Finding.class)
        .filter(kind -> !ELSEWHERE.contains(kind))
        .map(
            kind ->
                DynamicTest.dynamicTest(
                    kind.getSimpleName(),
                    () ->
                        assertThat(Tampering.ways().values())
                            .anySatisfy(
                                way ->
                                    assertThat(found(way, finding -> !kind.isInstance(finding)))
                                        .doesNotContainSequence(way.found())
                                        .hasSizeLessThan(way.found().size()))));
  }

  private static Stream<Class<?>> kinds(Class<?> sealed) {
    Class<?>[] below = sealed.getPermittedSubclasses();
    return below == null ? Stream.of(sealed) : Stream.of(below).flatMap(TamperingTest::kinds);
  }

  /** Without the next row, and before the next checkpoint, nothing shows it: the window is that. */
  @Test
  void verify_lastRowReplacedBeforeItsCheckpoint_notFound() {
    Trail trail = Trail.sound();
    trail.grow("node-0.a", 1, "row");
    trail.change("node-0.a", 7, row -> Trail.rehashed(row));

    assertThat(trail.findings()).isEmpty();
  }

  @Test
  void verify_unsignedCheckpointAfterCrash_noFault() {
    Trail trail = Trail.sound();
    Trail.Stored unsigned = trail.checkpoints.get(1);
    trail.checkpoints.set(1, new Trail.Stored(2, unsigned.encoded(), null));
    trail.exports.remove("checkpoint-2.json");

    assertThat(trail.findings()).isEmpty();
  }

  /** Every head is kept: the highest finds the cut, each of the others its row. */
  @Test
  void verify_manyCheckpoints_cutAndRewriteStillFound() {
    Trail trail = new Trail();
    int last = 80;
    for (int i = 0; i < last; i++) {
      trail.grow("node-0.a", 1, "row");
      trail.checkpoint(Trail.KEY);
    }
    Trail cut = trail.copy();
    cut.remove("node-0.a", last);
    Trail rewritten = trail.copy();
    rewritten.rows.clear();
    rewritten.grow("node-0.a", last, "forged");

    assertThat(trail.findings()).isEmpty();
    assertThat(cut.findings()).containsExactly(new Finding.TailCut("node-0.a", last, last, last));
    assertThat(rewritten.findings())
        .allSatisfy(finding -> assertThat(finding).isInstanceOf(Finding.RowRewritten.class))
        .hasSize(last);
  }

  /** The chain of a node that is gone, rewritten and made to grow before each honest checkpoint. */
  @Test
  void verify_rewrittenAndGrownUnderLaterCheckpoints_stillFound() {
    Trail trail = new Trail();
    trail.grow("node-0.a", 3, "row");
    trail.checkpoint(Trail.KEY);
    trail.rows.clear();
    trail.grow("node-0.a", 3, "forged");
    for (int i = 0; i < 20; i++) {
      trail.grow("node-0.a", 1, "forged");
      trail.checkpoint(Trail.KEY);
    }

    assertThat(trail.findings()).containsExactly(new Finding.RowRewritten("node-0.a", 3, 1));
  }

  @Test
  void text_namesChainAndRow() {
    assertThat(new Finding.RowChanged("node-0.a", 7).text())
        .isEqualTo("chain node-0.a row 7: changed: its hash is not that of its content");
    assertThat(new Finding.CheckpointMissing(3, 4).text())
        .isEqualTo("checkpoint 3: missing, up to checkpoint 4");
  }

  @Test
  void exported_twoContentsUnderOneNumber_found() {
    Trail trail = Trail.sound();
    trail.exports.put("z.json", Trail.grown("forged").exports.get("checkpoint-3.json"));

    assertThat(trail.findings())
        .contains(new Finding.CheckpointRewritten(3, "checkpoint-3.json and z.json"));
  }

  @Test
  void stored_wrongNumberInContent_unreadable() {
    Trail trail = new Trail();
    trail.grow("node-0.a", 1, "row");
    trail.checkpoint(Trail.KEY);
    OctetString first = trail.checkpoints.getFirst().encoded();
    trail.exports.clear();
    trail.checkpoints.add(new Trail.Stored(2, first, null));

    assertThat(trail.findings()).containsExactly(new Finding.CheckpointUnreadable(2));
    assertThat(ChainHead.nothing().length()).isEqualTo(32);
  }
}
