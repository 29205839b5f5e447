package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/** What a batch keeps, counts and loses. */
class GatheredTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00Z");

  private final Gathered gathered = new Gathered();

  private static Fact fact(String address) {
    return new Fact(AuditKind.LOGIN_FAILED, AuditEvent.UNKNOWN_ACTOR, Map.of("address", address));
  }

  private static IssuedCertificate certificate(int number) {
    byte[] random = new byte[SerialNumber.RANDOM_OCTETS];
    random[0] = (byte) (number >> 8);
    random[1] = (byte) number;
    return new IssuedCertificate(
        SerialNumber.compose(new ExpiryWeek(3000), random),
        "r".repeat(64),
        OctetString.copyOf(new byte[32]));
  }

  private static Fact relied(int number) {
    return new Fact(AuditKind.CERTIFICATE_REVOKED, "officer", Map.of("serial", "s" + number));
  }

  private Gathered.Batch take() {
    return gathered.take(AT, false);
  }

  @Test
  void add_equalFacts_oneRowWithTheirNumber() {
    for (int i = 0; i < 3; i++) {
      assertThat(gathered.add(fact("192.0.2.1"), AT)).isTrue();
    }

    Gathered.Batch batch = take();

    assertThat(batch.facts()).containsExactly(Map.entry(fact("192.0.2.1"), 3L));
    assertThat(fact("192.0.2.1").event(AT, 3).content())
        .isEqualTo("{\"address\":\"192.0.2.1\",\"count\":3}");
    assertThat(fact("192.0.2.1").event(AT).content()).isEqualTo("{\"address\":\"192.0.2.1\"}");
    assertThat(gathered.isEmpty(AT, true)).isTrue();
  }

  /** A flood of denied requests from many networks takes no place that security relies on. */
  @Test
  void add_floodOfDenials_othersKeptAndTheRestCounted() {
    for (int i = 0; i < 200_000; i++) {
      assertThat(gathered.add(fact("10." + i % 250 + "." + i / 250 % 250 + ".1"), AT)).isTrue();
    }
    for (int i = 0; i < Gathered.FACTS_MAX; i++) {
      assertThat(gathered.add(relied(i), AT)).isTrue();
    }

    Map<Fact, Long> written = new HashMap<>();
    while (!gathered.isEmpty(AT, true)) {
      Gathered.Batch batch = gathered.take(AT, true);
      assertThat(batch.facts())
          .hasSizeLessThanOrEqualTo(
              Gathered.BATCH_MAX + Gathered.DENIALS_MAX + DenialShares.COUNTED_MAX + 4);
      written.putAll(batch.facts());
    }

    for (int i = 0; i < Gathered.FACTS_MAX; i++) {
      assertThat(written).containsKey(relied(i));
    }
    long denied =
        written.entrySet().stream()
            .mapToLong(
                row ->
                    row.getKey().kind() == AuditKind.DENIALS_COUNTED
                        ? (long) row.getKey().details().getOrDefault("requests", 0L)
                        : row.getKey().kind().isDenial() ? row.getValue() : 0)
            .sum();
    assertThat(denied).isEqualTo(200_000);
  }

  /** More than memory bears is lost, and the trail says how much. */
  @Test
  void add_moreOtherFactsThanFit_countedAndReported() {
    for (int i = 0; i < Gathered.FACTS_MAX; i++) {
      assertThat(gathered.add(relied(i), AT)).isTrue();
    }

    assertThat(gathered.add(relied(-1), AT)).isFalse();
    assertThat(gathered.add(relied(0), AT)).isTrue();

    assertThat(take().facts())
        .hasSize(Gathered.BATCH_MAX + 1)
        .containsEntry(gap(1, 0), 1L)
        .containsEntry(relied(0), 2L);
  }

  @Test
  void add_moreOctetsThanFit_countedAndReported() {
    String long20 = "x".repeat(20_000);
    int kept = 0;
    while (gathered.add(
        new Fact(AuditKind.APPROVAL_ASK, "admin", Map.of("n", kept, "content", long20)), AT)) {
      kept++;
    }

    assertThat(kept).isBetween(400, Gathered.FACTS_OCTETS_MAX / 20_000 + 1);
    assertThat(take().facts()).hasSizeBetween(100, 110);
  }

  /** A place that a renewal has reserved is free when its fact comes, whatever came before. */
  @Test
  void reserve_queueFilledMeanwhile_factKept() {
    assertThat(gathered.reserve()).isTrue();
    int kept = 0;
    while (gathered.add(relied(kept), AT)) {
      kept++;
    }

    assertThat(kept).isEqualTo(Gathered.FACTS_MAX - 1);
    assertThat(gathered.reserve()).isFalse();
    gathered.release();
    gathered.addReserved(relied(-1));
    for (int batch = 0; batch < 3; batch++) {
      assertThat(take().facts()).doesNotContainKey(relied(-1));
    }
    assertThat(take().facts()).containsKey(relied(-1));
  }

  @Test
  void add_moreCertificatesThanFit_countedAndTold() {
    for (int i = 0; i < Gathered.CERTIFICATES_MAX; i++) {
      assertThat(gathered.add(certificate(i))).isTrue();
    }

    assertThat(gathered.add(certificate(0))).isFalse();

    Gathered.Batch batch = take();
    assertThat(batch.certificates()).hasSize(Gathered.CERTIFICATES_MAX);
    assertThat(batch.facts()).containsOnlyKeys(gap(0, 1));
  }

  @Test
  void add_moreThatWaitThanFit_refused() {
    int kept = 0;
    while (gathered.add(awaited("actor-" + kept))) {
      kept++;
    }

    assertThat(kept).isEqualTo(Gathered.AWAITED_MAX);
    assertThat(gathered.isAwaited()).isTrue();
  }

  @Test
  void add_oneActorBeyondItsShareOfPlaces_refusedAndOthersKept() {
    for (int i = 0; i < Gathered.AWAITED_OF_ACTOR_MAX; i++) {
      assertThat(gathered.add(awaited("flood"))).isTrue();
    }

    assertThat(gathered.add(awaited("flood"))).isFalse();
    assertThat(gathered.add(awaited("officer"))).isTrue();
  }

  private static Awaited awaited(String actor) {
    return new Awaited(new Fact(AuditKind.CERTIFICATE_REVOKE, actor, Map.of()));
  }

  private static Fact gap(long facts, long certificates) {
    return new Fact(
        AuditKind.GAP,
        AuditEvent.UNKNOWN_ACTOR,
        Map.of("facts", facts, "certificates", certificates));
  }

  @Test
  void issued_facts_readBackAndFitIntoRows() {
    List<IssuedCertificate> many =
        java.util.stream.IntStream.range(0, 2 * IssuedCertificate.PER_ROW + 1)
            .mapToObj(GatheredTest::certificate)
            .toList();

    List<Fact> facts = IssuedCertificate.facts(many);

    assertThat(facts).hasSize(3);
    assertThat(facts.getFirst().event(AT).content().length())
        .isLessThan(AuditEvent.CONTENT_OCTETS_MAX);
    assertThat(
            facts.stream()
                .flatMap(f -> IssuedCertificate.parse(f.event(AT).content()).stream())
                .flatMap(List::stream))
        .containsExactlyElementsOf(many);
    assertThat(IssuedCertificate.facts(Collections.emptyList())).isEmpty();
  }

  /** Rows of earlier versions do not name the requester. */
  @Test
  void parse_withoutRequester_unknownActor() {
    String content =
        IssuedCertificate.facts(List.of(certificate(1)))
            .getFirst()
            .event(AT)
            .content()
            .replaceFirst("\"requester\":\"r+\",", "");

    assertThat(IssuedCertificate.parse(content).orElseThrow())
        .singleElement()
        .satisfies(c -> assertThat(c.requester()).isEqualTo(AuditEvent.UNKNOWN_ACTOR));
  }

  @Test
  void parse_whatIsNone_empty() {
    for (String content : List.of("", "{}", "[", "{\"certificates\":[{\"serial\":\"x\"}]}")) {
      assertThat(IssuedCertificate.parse(content)).isEmpty();
    }
  }
}
