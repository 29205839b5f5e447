package org.sluiceca.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.FakeSigner.Fault;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryCheckpointStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** When a checkpoint is taken, what it covers, and what becomes of one that cannot be signed. */
class CheckpointsTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final FakeSigner signer =
      new FakeSigner(new IssuerName("audit"), KEY, SoftwareKey.named("ec-p256"));
  private final Checkpoints checkpoints = node();

  /** What this node's writer knows. */
  private @Nullable ChainHead own;

  private static final Duration SPACING = Duration.ofSeconds(48);

  private Checkpoints node() {
    return node(time);
  }

  private Checkpoints node(InstantSource clock) {
    return new Checkpoints(
        new Checkpoints.Steps(
            () -> Optional.ofNullable(own),
            store,
            signer,
            new PostSignCheck(
                name ->
                    name.equals(RecordedCheckpoint.KEY)
                        ? Optional.of(KEY.publicKey())
                        : Optional.empty(),
                new BouncyCastleVerifier()),
            clock));
  }

  private Optional<SignedCheckpoint> takeIfOlder(Checkpoints node) {
    Deadline soon = Deadline.after(Duration.ofSeconds(10), time);
    return node.takeIfOlder(
            new SignSchedule(Lane.STATUS, new RequesterId("sluice.audit"), soon, soon), SPACING)
        .signed();
  }

  private Optional<SignedCheckpoint> take(Checkpoints node) {
    Deadline soon = Deadline.after(Duration.ofSeconds(10), time);
    return node.take(new SignSchedule(Lane.STATUS, new RequesterId("sluice.audit"), soon, soon));
  }

  private ChainHead grow(ChainHead head) {
    AuditRow row = head.next(new AuditEvent(time.instant(), "test", "a", "{}"));
    store.append(row);
    return row.head();
  }

  private static Checkpoint read(Optional<SignedCheckpoint> signed) {
    return Checkpoint.parse(signed.orElseThrow().encoded()).orElseThrow();
  }

  @Test
  void take_nothingGrown_none() {
    assertThat(take(checkpoints)).isEmpty();
    grow(ChainHead.start("a"));
    assertThat(take(checkpoints)).isPresent();

    assertThat(take(checkpoints)).isEmpty();
    assertThat(signer.signatures()).isOne();
  }

  @Test
  void take_grown_onlyWhatHasGrownAndTheHashOfTheOneBefore() {
    ChainHead a = grow(ChainHead.start("a"));
    ChainHead b = grow(ChainHead.start("b"));
    SignedCheckpoint first = take(checkpoints).orElseThrow();
    b = grow(b);

    Checkpoint second = read(take(checkpoints));

    assertThat(read(Optional.of(first)).heads()).first().isEqualTo(a);
    assertThat(second.number()).isEqualTo(2);
    assertThat(second.heads()).containsExactly(b);
    assertThat(second.previous()).isEqualTo(Checkpoint.hash(first.encoded()));
    assertThat(store.signature(2)).isPresent();
  }

  /** A restarted node has forgotten what was covered, and says it again. */
  @Test
  void take_afterRestart_listsEveryChainOnce() {
    ChainHead a = grow(ChainHead.start("a"));
    assertThat(take(checkpoints)).isPresent();
    Checkpoints restarted = node();

    assertThat(read(take(restarted)).heads()).containsExactly(a);
    assertThat(take(restarted)).isEmpty();
  }

  @Test
  void take_anotherNodeCoveredIt_none() {
    ChainHead a = grow(ChainHead.start("a"));
    Checkpoints other = node();
    assertThat(take(checkpoints)).isPresent();
    assertThat(take(other)).isPresent();
    var _ = grow(a);

    assertThat(take(other)).isPresent();
    assertThat(take(checkpoints)).isEmpty();
  }

  /** One checkpoint covers the chains of all nodes. */
  @Test
  void takeIfOlder_anotherNodeTookOneWithinTheSpacing_noneUntilItIsOlder() {
    ChainHead a = grow(ChainHead.start("a"));
    Checkpoints other = node();
    assertThat(takeIfOlder(checkpoints)).isPresent();
    a = grow(a);
    time.pass(SPACING.minusMillis(1));

    assertThat(takeIfOlder(other)).isEmpty();
    assertThat(other.coveredAge()).isEqualTo(SPACING.minusMillis(1));
    time.pass(Duration.ofMillis(1));
    // All chains: it is the first one that this node takes.
    assertThat(read(takeIfOlder(other)).heads()).containsExactly(a);
    assertThat(other.coveredAge()).isZero();
    assertThat(takeIfOlder(checkpoints)).isEmpty();
  }

  @Test
  void takeIfOlder_recordedByAnotherNodeAndNeverSigned_taken() {
    var _ = grow(ChainHead.start("a"));
    Checkpoints other = node();
    signer.failNext(Fault.LOST);
    assertThatExceptionOfType(SignerUnavailable.class).isThrownBy(() -> takeIfOlder(other));

    assertThat(takeIfOlder(checkpoints)).isPresent();
  }

  /** It was not there at the last look, so it cannot be as old, or as new, as it says. */
  @Test
  void coveredAge_otherNodesClockIsWrong_keptToWhatIsKnown() {
    ChainHead a = grow(ChainHead.start("a"));
    assertThat(takeIfOlder(checkpoints)).isPresent();
    time.pass(SPACING);
    for (Duration wrong : List.of(Duration.ofDays(1), Duration.ofDays(-1))) {
      a = grow(a);
      checkpoints.look();
      assertThat(take(node(() -> time.instant().plus(wrong)))).isPresent();
      time.pass(Duration.ofSeconds(1));

      checkpoints.look();

      assertThat(checkpoints.coveredAge()).isBetween(Duration.ZERO, Duration.ofSeconds(21));
    }
  }

  @Test
  void takeIfOlder_ownClockSetBack_takenOneSpacingLater() {
    Instant[] now = {time.instant()};
    Checkpoints node = node(() -> now[0]);
    ChainHead a = grow(ChainHead.start("a"));
    assertThat(takeIfOlder(node)).isPresent();
    now[0] = now[0].minus(Duration.ofHours(1));
    var _ = grow(a);
    assertThat(takeIfOlder(node)).isEmpty();

    now[0] = now[0].plus(SPACING);

    assertThat(takeIfOlder(node)).isPresent();
  }

  /** Between the two looks another node's checkpoint, which was recorded already, was signed. */
  @Test
  void takeIfOlder_signedAfterTheLook_seenAtTheNext() {
    var _ = grow(ChainHead.start("a"));
    Checkpoints looking = node();
    PendingSigner pending = new PendingSigner(looking);
    Checkpoints other =
        new Checkpoints(
            new Checkpoints.Steps(
                () -> Optional.empty(),
                store,
                pending,
                new PostSignCheck(name -> Optional.of(KEY.publicKey()), new BouncyCastleVerifier()),
                time));
    assertThat(take(other)).isPresent();
    assertThat(pending.looked).isTrue();

    assertThat(takeIfOlder(looking)).isEmpty();
  }

  /** Has another node look while a checkpoint is signed. */
  private final class PendingSigner implements IssuerSigner {
    private final Checkpoints looking;
    private boolean looked;

    PendingSigner(Checkpoints looking) {
      this.looking = looking;
    }

    @Override
    public OctetString sign(Signable signable, SignSchedule schedule) {
      looking.look();
      looked = true;
      return signer.sign(signable, schedule);
    }
  }

  /** No other node knows that it was there. */
  @Test
  void takeIfOlder_ownRowRemoved_coveredAtOnce() {
    own = grow(ChainHead.start("a"));
    assertThat(take(node(time))).isPresent();
    own = grow(own);
    store.remove("a", 2);

    assertThat(read(takeIfOlder(checkpoints)).heads()).containsExactly(own);
    assertThat(takeIfOlder(checkpoints)).as("covered now").isEmpty();
    assertThat(checkpoints.missing()).containsExactly(own);
  }

  /** What anyone could insert that can write to the database. */
  enum Forged {
    GARBAGE,
    ANOTHER_KEY,
    REPLAYED
  }

  private void forge(Forged how, long number, SignedCheckpoint genuine, ChainHead named) {
    Checkpoint made =
        new Checkpoint(number, Checkpoint.hash(genuine.encoded()), time.instant(), List.of(named));
    switch (how) {
      case GARBAGE -> store.forge(number, octets("x"), octets("x"));
      case ANOTHER_KEY ->
          store.forge(
              number,
              made.encoded(),
              SoftwareKey.named("ec-p256").sign(RecordedCheckpoint.ALGORITHM, made.encoded()));
      case REPLAYED -> store.forge(number, genuine.encoded(), genuine.signature());
    }
  }

  private static OctetString octets(String text) {
    return OctetString.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  /** It would keep all nodes from covering the trail, and the age of what covers it young. */
  @ParameterizedTest
  @EnumSource
  void takeIfOlder_notSignedByTheAuditKeyUnderThatNumber_dueAllTheSame(Forged how) {
    ChainHead a = grow(ChainHead.start("a"));
    SignedCheckpoint genuine = takeIfOlder(checkpoints).orElseThrow();
    a = grow(a);
    time.pass(SPACING);
    forge(how, 2, genuine, new ChainHead("a", 99, a.hash()));

    Checkpoint taken = read(takeIfOlder(checkpoints));

    assertThat(taken.number()).isEqualTo(3);
    assertThat(taken.heads()).as("named by it, and not covered").containsExactly(a);
    assertThat(checkpoints.refused()).containsExactly(2L);
    checkpoints.look();
    assertThat(checkpoints.refused()).as("read once").isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void look_notGenuine_nothingIsYoungerButWhatFollowsIsRead(Forged how) {
    ChainHead a = grow(ChainHead.start("a"));
    Checkpoints other = node();
    SignedCheckpoint genuine = takeIfOlder(checkpoints).orElseThrow();
    a = grow(a);
    time.pass(SPACING);
    other.look();
    forge(how, 2, genuine, a);

    other.look();
    assertThat(other.coveredAge()).isEqualTo(SPACING);
    assertThat(other.refused()).containsExactly(2L);
    assertThat(takeIfOlder(checkpoints)).isPresent();
    assertThat(takeIfOlder(other)).as("another node's is genuine").isEmpty();
    assertThat(other.coveredAge()).isZero();
    assertThat(other.refused()).isEmpty();
  }

  @Test
  void takeIfOlder_ownRowRemovedAndNamedByWhatIsNotGenuine_coveredAtOnce() {
    own = grow(ChainHead.start("a"));
    SignedCheckpoint genuine = take(node()).orElseThrow();
    own = grow(own);
    store.remove("a", 2);
    forge(Forged.ANOTHER_KEY, 2, genuine, own);

    assertThat(read(takeIfOlder(checkpoints)).heads()).containsExactly(own);
  }

  /** The checkpoint says what was there: a verification then finds that the row is another. */
  @Test
  void takeIfOlder_ownRowReplaced_ownRowIsCoveredAtOnce() {
    ChainHead first = grow(ChainHead.start("a"));
    own = first;
    SignedCheckpoint genuine = take(node()).orElseThrow();
    own = grow(first);
    store.remove("a", 2);
    time.pass(Duration.ofSeconds(1));
    ChainHead replaced = grow(first);
    assertThat(replaced.hash()).isNotEqualTo(own.hash());
    forge(Forged.ANOTHER_KEY, 2, genuine, replaced);

    assertThat(read(takeIfOlder(checkpoints)).heads()).containsExactly(own);
    assertThat(checkpoints.missing()).containsExactly(own);
  }

  /** It takes no checkpoints, but sees what is missing. */
  @Test
  void look_auditKeyUnknownHere_nothingRefused() {
    ChainHead a = grow(ChainHead.start("a"));
    assertThat(take(checkpoints)).isPresent();
    Checkpoints keyless =
        new Checkpoints(
            new Checkpoints.Steps(
                Optional::empty,
                store,
                signer,
                new PostSignCheck(name -> Optional.empty(), new BouncyCastleVerifier()),
                time));
    store.remove("a", 1);

    keyless.look();

    assertThat(keyless.refused()).isEmpty();
    assertThat(keyless.missing()).containsExactly(a);
  }

  /** More chains than one checkpoint has room for: the rest comes at once, from any node. */
  @Test
  void takeIfOlder_moreChainsThanOneHasRoomFor_theRestIsStillDue() {
    for (int i = 0; i <= Checkpoint.HEADS_MAX; i++) {
      var _ = grow(ChainHead.start(String.format(Locale.ROOT, "chain-%05d", i)));
    }
    Checkpoints other = node();

    assertThat(read(takeIfOlder(checkpoints)).heads()).hasSize(Checkpoint.HEADS_MAX);
    assertThat(checkpoints.coveredAge()).isGreaterThan(SPACING);
    other.look();
    assertThat(other.coveredAge()).isGreaterThan(SPACING);
    assertThat(read(takeIfOlder(checkpoints)).heads())
        .extracting(ChainHead::chain)
        .containsExactly("chain-10000");
    assertThat(checkpoints.coveredAge()).isZero();
    assertThat(takeIfOlder(other)).isEmpty();
  }

  @Test
  void take_numberTakenMeanwhile_noneAndNothingSigned() {
    ChainHead a = grow(ChainHead.start("a"));
    InMemoryCheckpointStore racing = new InMemoryCheckpointStore();
    racing.append(ChainHead.start("a").next(new AuditEvent(time.instant(), "t", "a", "{}")));
    assertThat(a.sequence()).isOne();
    CheckpointStore loses =
        new CheckpointStore() {
          @Override
          public Optional<Numbered> latest() {
            return racing.latest();
          }

          @Override
          public java.util.List<Signed> signedAfter(long number, int max) {
            return racing.signedAfter(number, max);
          }

          @Override
          public java.util.List<ChainHead> heads() {
            return racing.heads();
          }

          @Override
          public boolean record(Checkpoint checkpoint) {
            return false;
          }

          @Override
          public void recordSignature(long number, OctetString signature) {
            throw new AssertionError("signed what was not recorded");
          }
        };
    Checkpoints loser =
        new Checkpoints(
            new Checkpoints.Steps(
                Optional::empty,
                loses,
                signer,
                new PostSignCheck(name -> Optional.empty(), new BouncyCastleVerifier()),
                time));

    assertThat(take(loser)).isEmpty();
    assertThat(signer.signatures()).isZero();
  }

  /** The row of a node that idles is removed before any checkpoint covers it. */
  @Test
  void take_newestOwnRowRemoved_missingAndCoveredAllTheSame() {
    ChainHead first = grow(ChainHead.start("a"));
    own = grow(first);
    store.remove("a", 2);

    Optional<SignedCheckpoint> taken = take(checkpoints);

    assertThat(checkpoints.missing()).containsExactly(own);
    assertThat(Checkpoint.parse(taken.orElseThrow().encoded()).orElseThrow().heads())
        .containsExactly(own);
    assertThat(take(checkpoints)).isEmpty();
    assertThat(checkpoints.missing()).containsExactly(own);
  }

  @Test
  void take_chainOfAnotherNodeCutOrRewrittenAfterItWasCovered_missing() {
    ChainHead other = grow(grow(ChainHead.start("b")));
    assertThat(take(checkpoints)).isPresent();
    assertThat(checkpoints.missing()).isEmpty();
    store.remove("b", 2);

    assertThat(take(checkpoints)).isEmpty();
    assertThat(checkpoints.missing()).containsExactly(other);

    time.pass(Duration.ofSeconds(1));
    store.remove("b", 1);
    ChainHead forged = grow(grow(ChainHead.start("b")));
    assertThat(forged.hash()).isNotEqualTo(other.hash());
    checkpoints.look();
    assertThat(checkpoints.missing()).containsExactly(other);
  }

  /** Neither has covered it itself: one cannot sign, the other was restarted. */
  @Test
  void lookOrTake_stoppedNodesChainCutAfterOthersCoveredIt_missing() {
    ChainHead stopped = grow(grow(ChainHead.start("b")));
    assertThat(take(checkpoints)).isPresent();
    store.remove("b", 2);
    Checkpoints keyless = node();
    Checkpoints restarted = node();

    keyless.look();
    var _ = take(restarted);

    assertThat(keyless.missing()).containsExactly(stopped);
    assertThat(restarted.missing()).containsExactly(stopped);
  }

  /** Checkpoints of others are read as they come. */
  @Test
  void look_coveredSinceTheLastLook_missingWhenItIsCut() {
    Checkpoints keyless = node();
    grow(ChainHead.start("a"));
    assertThat(take(checkpoints)).isPresent();
    keyless.look();
    ChainHead other = grow(ChainHead.start("b"));
    assertThat(take(checkpoints)).isPresent();
    keyless.look();
    assertThat(keyless.missing()).isEmpty();
    store.remove("b", 1);

    keyless.look();

    assertThat(keyless.missing()).containsExactly(other);
  }

  @Test
  void look_ownRowAndAllOthersThere_nothingMissing() {
    own = grow(ChainHead.start("a"));
    grow(ChainHead.start("b"));

    checkpoints.look();

    assertThat(checkpoints.missing()).isEmpty();
    assertThat(store.latest()).isEmpty();
  }

  /** Its number stays unsigned; the next one covers the same rows. */
  @Test
  void take_signerLost_nextOneCoversTheSame() {
    ChainHead a = grow(ChainHead.start("a"));
    signer.failNext(Fault.LOST);
    assertThatExceptionOfType(SignerUnavailable.class).isThrownBy(() -> take(checkpoints));

    Checkpoint second = read(take(checkpoints));

    assertThat(second.number()).isEqualTo(2);
    assertThat(second.heads()).containsExactly(a);
    assertThat(store.signature(1)).isEmpty();
    assertThat(store.signature(2)).isPresent();
  }

  @Test
  void take_signatureByAnotherKey_refusedAndNotRecorded() {
    var _ = grow(ChainHead.start("a"));
    signer.failNext(Fault.WRONG_KEY);

    assertThatExceptionOfType(SignatureRefused.class).isThrownBy(() -> take(checkpoints));
    assertThat(store.signature(1)).isEmpty();
  }
}
