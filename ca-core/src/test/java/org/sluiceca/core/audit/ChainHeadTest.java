package org.sluiceca.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.OctetString;

/** A chain's rows and what their hashes cover. */
class ChainHeadTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00.123456789Z");
  private static final AuditEvent EVENT = new AuditEvent(AT, "test", "alice", "{}");

  @Test
  void next_rows_numberedLinkedAndHashed() {
    AuditRow first = ChainHead.start("node-0.1").next(EVENT);
    AuditRow second = first.head().next(EVENT);

    assertThat(first.sequence()).isOne();
    assertThat(first.previous()).isEqualTo(ChainHead.nothing());
    assertThat(first.hash()).isEqualTo(first.ownHash());
    assertThat(first.recordedAt()).isEqualTo(Instant.parse("2026-05-04T10:00:00.123456Z"));
    assertThat(second.sequence()).isEqualTo(2);
    assertThat(second.previous()).isEqualTo(first.hash());
    assertThat(second.hash()).isEqualTo(second.ownHash()).isNotEqualTo(first.hash());
  }

  /** The encoding by hand: who verifies with other software needs no more than this. */
  @Test
  void ownHash_isSha256OverLengthPrefixedFields() throws Exception {
    AuditRow row = ChainHead.start("c").next(EVENT);
    String expected =
        field("sluice audit row 1")
            + field("c")
            + "0000000000000001"
            + "00000020"
            + "00".repeat(32)
            + HexFormat.of().toHexDigits(AT.getEpochSecond())
            + HexFormat.of().toHexDigits(123_456_000L)
            + field("test")
            + field("alice")
            + field("{}");

    assertThat(row.hash())
        .isEqualTo(
            OctetString.copyOf(
                MessageDigest.getInstance("SHA-256").digest(HexFormat.of().parseHex(expected))));
  }

  private static String field(String text) {
    byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
    return HexFormat.of().toHexDigits(octets.length) + HexFormat.of().formatHex(octets);
  }

  /** Without lengths these two would be the same bytes. */
  @Test
  void ownHash_boundaryBetweenFieldsMoved_other() {
    ChainHead start = ChainHead.start("c");

    assertThat(start.next(new AuditEvent(AT, "ab", "c", "{}")).hash())
        .isNotEqualTo(start.next(new AuditEvent(AT, "a", "bc", "{}")).hash());
  }

  @Test
  void event_bounds_bothSides() {
    String most = "x".repeat(AuditEvent.CONTENT_OCTETS_MAX);
    assertThat(new AuditEvent(AT, "k".repeat(40), "a".repeat(80), most).content()).isEqualTo(most);

    for (String kind : new String[] {"", "K", "k".repeat(41), "k k"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new AuditEvent(AT, kind, "a", "{}"));
    }
    for (String actor : new String[] {"", "a b", "a".repeat(81), "\u00e4"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new AuditEvent(AT, "k", actor, "{}"));
    }
    for (String content : new String[] {"", most + "x", "\u0000", "\ud800"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new AuditEvent(AT, "k", "a", content));
    }
  }

  @Test
  void head_bounds_bothSides() {
    assertThat(ChainHead.start("c".repeat(80)).sequence()).isZero();
    for (String name : new String[] {"", "c".repeat(81), "a b", "\u00e4"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> ChainHead.start(name));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChainHead("c", -1, ChainHead.nothing()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChainHead("c", 1, OctetString.copyOf(new byte[31])));
  }
}
