package org.sluiceca.core.revoke.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;

/** What a selection may be, and what a confirmation stands for. */
class BulkJobTest {

  private static final UUID ID = new UUID(1, 2);
  private static final Instant AS_OF = Fixtures.NOW.plusNanos(123_456_789);

  @Test
  void selection_ofNothing_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> selection(null, null, null, AS_OF, AS_OF.plusSeconds(1)));
  }

  @Test
  void selection_endsBeforeItBegins_contradictory() {
    assertThat(selection("alice", null, null, AS_OF, AS_OF).isContradictory()).isTrue();
    assertThat(selection("alice", null, null, AS_OF, AS_OF.plusNanos(1_000)).isContradictory())
        .isFalse();
    assertThat(selection("alice", null, null, AS_OF, null).isContradictory()).isFalse();
  }

  @Test
  void selection_sameNameElsewhere_otherText() {
    List<String> texts =
        List.of(
            selection("x", null, null, null, null).toString(),
            selection(null, "x", null, null, null).toString(),
            selection(null, null, "x", null, null).toString(),
            selection("x", null, null, AS_OF, null).toString(),
            selection("x", null, null, null, AS_OF).toString());

    assertThat(texts).doesNotHaveDuplicates();
  }

  @Test
  void confirmation_anythingElse_another() {
    BulkSelection alice = selection("alice", null, null, null, null);
    BulkSelection bob = selection("bob", null, null, null, null);
    Instant later = AS_OF.plusSeconds(1);
    BulkJob job = job(ID, alice, RevocationReason.SUPERSEDED, null, AS_OF, 3);

    List<String> others =
        List.of(
            job.confirmation(),
            job(new UUID(1, 3), alice, RevocationReason.SUPERSEDED, null, AS_OF, 3).confirmation(),
            job(ID, bob, RevocationReason.SUPERSEDED, null, AS_OF, 3).confirmation(),
            job(ID, alice, RevocationReason.UNSPECIFIED, null, AS_OF, 3).confirmation(),
            job(ID, alice, RevocationReason.SUPERSEDED, AS_OF, AS_OF, 3).confirmation(),
            job(ID, alice, RevocationReason.SUPERSEDED, null, later, 3).confirmation(),
            job(ID, alice, RevocationReason.SUPERSEDED, null, AS_OF, 4).confirmation(),
            new BulkJob(
                    ID,
                    new BulkRevocation(
                        alice, RevocationReason.SUPERSEDED, Optional.empty(), Intents.BOB),
                    AS_OF,
                    3)
                .confirmation());

    assertThat(others).doesNotHaveDuplicates();
    assertThat(job.confirmation())
        .hasSize(BulkJob.CONFIRMATION_LENGTH)
        .isEqualTo(job(ID, alice, RevocationReason.SUPERSEDED, null, AS_OF, 3).confirmation());
  }

  @Test
  void counts_oneMoreOrLessThanShown_notAccountedFor() {
    BulkJob job =
        job(
            ID,
            selection("alice", null, null, null, null),
            RevocationReason.SUPERSEDED,
            null,
            AS_OF,
            3);

    assertThat(new BulkCounts(2, 1, 9).accountFor(job)).isTrue();
    assertThat(new BulkCounts(3, 1, 0).accountFor(job)).isFalse();
    assertThat(new BulkCounts(2, 0, 1).accountFor(job)).isFalse();
  }

  private static BulkJob job(
      UUID id,
      BulkSelection selection,
      RevocationReason reason,
      @Nullable Instant invalidityDate,
      Instant asOf,
      long selected) {
    return new BulkJob(
        id,
        new BulkRevocation(selection, reason, Optional.ofNullable(invalidityDate), Intents.ALICE),
        asOf,
        selected);
  }

  private static BulkSelection selection(
      @Nullable String requester,
      @Nullable String profile,
      @Nullable String issuer,
      @Nullable Instant after,
      @Nullable Instant before) {
    return new BulkSelection(
        Optional.ofNullable(requester).map(RequesterId::new),
        Optional.ofNullable(profile).map(ProfileName::new),
        Optional.ofNullable(issuer).map(IssuerName::new),
        Optional.ofNullable(after),
        Optional.ofNullable(before));
  }
}
