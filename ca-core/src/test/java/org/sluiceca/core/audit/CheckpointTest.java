package org.sluiceca.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.OctetString;

/** A checkpoint's bytes are read back, and no others are. */
class CheckpointTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00.123456Z");

  private static ChainHead head(String chain) {
    return ChainHead.start(chain).next(new AuditEvent(AT, "test", "a", "{}")).head();
  }

  private static final Checkpoint CHECKPOINT =
      new Checkpoint(7, ChainHead.nothing(), AT, List.of(head("a"), head("b")));

  @Test
  void parse_encoded_same() {
    assertThat(Checkpoint.parse(CHECKPOINT.encoded())).contains(CHECKPOINT);
  }

  @Test
  void parse_anyOctetChangedMissingOrMore_neverTheSame() {
    byte[] octets = CHECKPOINT.encoded().octets();
    for (int i = 0; i < octets.length; i++) {
      byte[] changed = octets.clone();
      changed[i] ^= 1;
      assertThat(Checkpoint.parse(OctetString.copyOf(changed)))
          .satisfiesAnyOf(
              read -> assertThat(read).isEmpty(),
              read -> assertThat(read.orElseThrow()).isNotEqualTo(CHECKPOINT));
      assertThat(Checkpoint.parse(OctetString.copyOf(Arrays.copyOf(octets, i)))).isEmpty();
    }
    assertThat(Checkpoint.parse(OctetString.copyOf(Arrays.copyOf(octets, octets.length + 1))))
        .isEmpty();
  }

  @Test
  void construct_headsOutOfOrderTwiceOrNone_refused() {
    for (List<ChainHead> heads :
        List.of(
            List.<ChainHead>of(),
            List.of(head("b"), head("a")),
            List.of(head("a"), head("a")),
            List.of(ChainHead.start("a")))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Checkpoint(1, ChainHead.nothing(), AT, heads));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Checkpoint(0, ChainHead.nothing(), AT, List.of(head("a"))));
  }
}
