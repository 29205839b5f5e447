package org.sluiceca.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.OctetString;

/** What every {@link CheckpointStore} promises. */
public abstract class CheckpointStoreContract {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00.123456Z");

  /** Returns the empty store under test. */
  protected abstract CheckpointStore store();

  /** Adds a row as a node's writer would. */
  protected abstract void append(AuditRow row);

  private static Checkpoint checkpoint(long number) {
    ChainHead head = ChainHead.start("a").next(event("x")).head();
    return new Checkpoint(number, ChainHead.nothing(), AT, List.of(head));
  }

  private static AuditEvent event(String actor) {
    return new AuditEvent(AT, "test", actor, "{}");
  }

  private static OctetString signature(int value) {
    return OctetString.copyOf(new byte[] {(byte) value});
  }

  @Test
  void latest_nothingRecorded_empty() {
    assertThat(store().latest()).isEmpty();
    assertThat(store().heads()).isEmpty();
    assertThat(store().signedAfter(0, 10)).isEmpty();
  }

  @Test
  void record_numberTaken_falseAndFirstStands() {
    Checkpoint other =
        new Checkpoint(1, ChainHead.nothing(), AT.plusSeconds(1), checkpoint(1).heads());

    assertThat(store().record(checkpoint(1))).isTrue();
    assertThat(store().record(other)).isFalse();
    assertThat(store().latest().orElseThrow().encoded()).isEqualTo(checkpoint(1).encoded());
  }

  @Test
  void latest_several_theHighestSignedOrNot() {
    assertThat(store().record(checkpoint(1))).isTrue();
    store().recordSignature(1, signature(1));
    assertThat(store().record(checkpoint(2))).isTrue();

    assertThat(store().latest().orElseThrow().number()).isEqualTo(2);
  }

  @Test
  void signedAfter_onlySignedInOrderUpToMax() {
    for (long number = 1; number <= 5; number++) {
      assertThat(store().record(checkpoint(number))).isTrue();
      if (number != 3) {
        store().recordSignature(number, signature(1));
      }
    }

    assertThat(store().signedAfter(1, 2))
        .extracting(CheckpointStore.Signed::number)
        .containsExactly(2L, 4L);
    assertThat(store().signedAfter(4, 2))
        .containsExactly(new CheckpointStore.Signed(5, checkpoint(5).encoded(), signature(1)));
  }

  @Test
  void recordSignature_second_firstStands() {
    assertThat(store().record(checkpoint(1))).isTrue();
    store().recordSignature(1, signature(1));
    store().recordSignature(1, signature(2));

    assertThat(store().signedAfter(0, 10))
        .containsExactly(new CheckpointStore.Signed(1, checkpoint(1).encoded(), signature(1)));
  }

  @Test
  void heads_severalChains_theLastRowOfEachInOrder() {
    ChainHead b = ChainHead.start("node-1.b");
    ChainHead upper = ChainHead.start("Z");
    AuditRow first = b.next(event("x"));
    AuditRow second = first.head().next(event("y"));
    AuditRow other = upper.next(event("z"));
    append(first);
    append(other);
    append(second);

    assertThat(store().heads()).containsExactly(other.head(), second.head());
  }
}
