package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
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
    return new Fact(AuditKind.LOGIN_FAILED, AuditEvent.NOBODY, Map.of("address", address));
  }

  private static IssuedCertificate certificate(int number) {
    byte[] random = new byte[SerialNumber.RANDOM_OCTETS];
    random[0] = (byte) (number >> 8);
    random[1] = (byte) number;
    return new IssuedCertificate(
        SerialNumber.compose(new ExpiryWeek(3000), random), OctetString.copyOf(new byte[32]));
  }

  @Test
  void add_equalFacts_oneRowWithTheirNumber() {
    for (int i = 0; i < 3; i++) {
      assertThat(gathered.add(fact("192.0.2.1"))).isTrue();
    }

    Gathered.Batch batch = gathered.take();

    assertThat(batch.facts()).containsExactly(Map.entry(fact("192.0.2.1"), 3L));
    assertThat(fact("192.0.2.1").event(AT, 3).content())
        .isEqualTo("{\"address\":\"192.0.2.1\",\"count\":3}");
    assertThat(fact("192.0.2.1").event(AT).content()).isEqualTo("{\"address\":\"192.0.2.1\"}");
    assertThat(gathered.isEmpty()).isTrue();
  }

  /** A flood of different ones loses what it brought, and says how much. */
  @Test
  void add_moreDifferentFactsThanFit_countedAndTold() {
    for (int i = 0; i < Gathered.FACTS_MAX; i++) {
      assertThat(gathered.add(fact("a" + i))).isTrue();
    }

    assertThat(gathered.add(fact("one more"))).isFalse();
    assertThat(gathered.add(fact("a0"))).isTrue();

    assertThat(gathered.take().facts())
        .hasSize(Gathered.FACTS_MAX + 1)
        .containsEntry(gap(1, 0), 1L)
        .containsEntry(fact("a0"), 2L);
    assertThat(gathered.isEmpty()).isTrue();
  }

  @Test
  void add_moreCertificatesThanFit_countedAndTold() {
    for (int i = 0; i < Gathered.CERTIFICATES_MAX; i++) {
      assertThat(gathered.add(certificate(i))).isTrue();
    }

    assertThat(gathered.add(certificate(0))).isFalse();

    Gathered.Batch batch = gathered.take();
    assertThat(batch.certificates()).hasSize(Gathered.CERTIFICATES_MAX);
    assertThat(batch.facts()).containsOnlyKeys(gap(0, 1));
  }

  @Test
  void add_moreWhoWaitThanFit_refused() {
    for (int i = 0; i < Gathered.AWAITED_MAX; i++) {
      assertThat(gathered.add(new Awaited(fact("a")))).isTrue();
    }

    assertThat(gathered.add(new Awaited(fact("a")))).isFalse();
    assertThat(gathered.isAwaited()).isTrue();
  }

  private static Fact gap(long facts, long certificates) {
    return new Fact(
        AuditKind.GAP, AuditEvent.NOBODY, Map.of("facts", facts, "certificates", certificates));
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

  @Test
  void parse_whatIsNone_empty() {
    for (String content : List.of("", "{}", "[", "{\"certificates\":[{\"serial\":\"x\"}]}")) {
      assertThat(IssuedCertificate.parse(content)).isEmpty();
    }
  }
}
