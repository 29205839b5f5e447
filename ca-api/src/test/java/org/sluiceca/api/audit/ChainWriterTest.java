package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** The rows of a chain, and what becomes of a batch that cannot be written. */
class ChainWriterTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00Z");

  /** What the store was given, batch by batch. */
  private final List<List<AuditRow>> tried = new ArrayList<>();

  private int failing;
  private final ChainWriter writer = new ChainWriter("node-0.1", this::store, () -> AT);

  private void store(List<AuditRow> rows) {
    tried.add(rows);
    if (failing-- > 0) {
      throw new LedgerUnavailable("away");
    }
  }

  private static Fact fact(String serial) {
    return new Fact(AuditKind.CERTIFICATE_REVOKED, "officer", Map.of("serial", serial));
  }

  private static Gathered.Batch batch(Awaited... awaited) {
    return new Gathered.Batch(Map.of(fact("a"), 1L), List.of(), List.of(awaited));
  }

  @Test
  void write_batches_oneChain() throws InterruptedException {
    Awaited awaited = new Awaited(fact("b"));

    writer.write(batch(awaited), () -> false);
    writer.write(batch(), () -> false);

    ChainHead head = ChainHead.start("node-0.1");
    for (AuditRow row : tried.stream().flatMap(List::stream).toList()) {
      assertThat(row.sequence()).isEqualTo(head.sequence() + 1);
      assertThat(row.previous()).isEqualTo(head.hash());
      head = row.head();
    }
    assertThat(writer.head()).isEqualTo(head);
    assertThat(writer.rows()).isEqualTo(3);
    assertThatNoException().isThrownBy(() -> awaited.await(Duration.ofSeconds(1)));
  }

  /** The thread that waits learns of the first failure, and the row comes later. */
  @Test
  void write_failure_sameRowsAgain() throws InterruptedException {
    failing = 2;
    Awaited awaited = new Awaited(fact("b"));

    writer.write(batch(awaited), () -> true);

    assertThat(tried).hasSize(3);
    assertThat(tried.get(2)).isEqualTo(tried.getFirst());
    assertThat(writer.failures()).isEqualTo(2);
    assertThat(writer.rows()).isEqualTo(2);
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> awaited.await(Duration.ofSeconds(1)));
  }

  @Test
  void write_failureAndNoRetry_theNextBatchContinuesWhatIsDurable() throws InterruptedException {
    failing = 1;

    writer.write(batch(), () -> false);
    assertThat(writer.head()).isEqualTo(ChainHead.start("node-0.1"));
    writer.write(batch(), () -> false);

    assertThat(writer.head().sequence()).isEqualTo(1);
    assertThat(writer.rows()).isEqualTo(1);
  }

  @Test
  void write_error_rowsAreLostAndThreadsThatWaitLearnIt() {
    ChainWriter broken =
        new ChainWriter(
            "node-0.1",
            rows -> {
              throw new AssertionError("planted");
            },
            () -> AT);
    Awaited awaited = new Awaited(fact("b"));

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> broken.write(batch(awaited), () -> true));

    assertThat(broken.lost()).isEqualTo(2);
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> awaited.await(Duration.ofSeconds(1)));
  }
}
