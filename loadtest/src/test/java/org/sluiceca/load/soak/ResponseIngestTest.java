package org.sluiceca.load.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.load.soak.SoakTerms.Scope;
import org.sluiceca.load.soak.StandIn.Lack;
import org.sluiceca.load.soak.judge.ExpectedState;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.LineJudge;
import org.sluiceca.load.soak.judge.Lives;
import org.sluiceca.load.soak.judge.Look;
import org.sluiceca.load.soak.judge.OcspJudge;
import org.sluiceca.load.soak.judge.Rule;

/** Answers with true signatures that lack what they must have, and some that are no answers. */
class ResponseIngestTest {

  private static final Scope SCOPE = SoakTerms.scopes().getFirst();
  private static final Look LOOK = new Look(0, StandIn.now(), StandIn.now().plusMillis(10));

  private final StandIn standIn = new StandIn();
  private final ExpectedState expected = new ExpectedState();
  private final Findings findings = new Findings();
  private final AtomicInteger later = new AtomicInteger();
  private final int certificate = expected.issued("0a", SCOPE.path());
  private final ResponseIngest ingest;

  ResponseIngestTest() throws GeneralSecurityException {
    Lives lives = new Lives(1, StandIn.now().minusSeconds(60));
    LineJudge line = new LineJudge(SCOPE.path(), expected, lives, findings, SoakTerms.bounds());
    CrlReader reader = new CrlReader(SCOPE.path(), standIn.issuer(), expected);
    ingest =
        new ResponseIngest(
            Map.of(SCOPE, new ResponseIngest.Line(reader, line)),
            new OcspClient(standIn.issuer()),
            new OcspJudge(expected, lives, findings, Duration.ofSeconds(15)),
            expected,
            findings);
  }

  private void crl(byte[] der) {
    ingest.crl(SCOPE, false, LOOK, 200, der);
  }

  private void ocsp(byte[] der) {
    ingest.ocsp(certificate, LOOK, 200, der, later::incrementAndGet);
  }

  private byte[] good(Lack lack) {
    return standIn.good(ingest.question(certificate), lack);
  }

  private Set<Rule> broken() {
    return Stream.of(Rule.values())
        .filter(rule -> findings.breaches(rule) > 0)
        .collect(Collectors.toSet());
  }

  @Test
  void wholeAnswers_areJudged_nothingIsBroken() {
    crl(standIn.crl(SCOPE.path(), Optional.of(StandIn.now().plusSeconds(60))));
    ocsp(good(Lack.NOTHING));

    assertThat(broken()).isEmpty();
    assertThat(findings.checks(Rule.UNREADABLE)).isEqualTo(2);
    assertThat(findings.checks(Rule.STALE)).isEqualTo(2);
    assertThat(findings.checks(Rule.OCSP_REFUSED)).isEqualTo(1);
  }

  @Test
  void crlWithoutNextUpdate_isBroken_andTheNextIsJudged() {
    crl(standIn.crl(SCOPE.path(), Optional.empty()));

    assertThat(broken()).containsExactly(Rule.UNREADABLE);
    assertThat(findings.checks(Rule.STALE)).isZero();
    crl(standIn.crl(SCOPE.path(), Optional.of(StandIn.now().plusSeconds(60))));
    assertThat(findings.checks(Rule.STALE)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
  void ocspThatLacks_isBroken_andTheNextIsJudged(Lack lack) {
    ocsp(good(lack));

    assertThat(broken()).containsExactly(Rule.UNREADABLE);
    ocsp(good(Lack.NOTHING));
    assertThat(findings.checks(Rule.OCSP_REFUSED)).isEqualTo(1);
    assertThat(later).hasValue(0);
  }

  @Test
  void answersWithoutContent_areBroken() {
    ocsp(new byte[0]);
    // OCSPResponse "successful" without responseBytes (RFC 6960 4.2.1).
    ocsp(new byte[] {0x30, 0x03, 0x0a, 0x01, 0x00});
    crl(new byte[0]);
    crl(new byte[] {0x30, 0x00});

    assertThat(findings.breaches(Rule.UNREADABLE) + findings.breaches(Rule.FORGED)).isEqualTo(4);
    assertThat(findings.checks(Rule.UNREADABLE)).isZero();
  }

  @Test
  void tryLater_isNoBreach_andTold() {
    ocsp(new byte[] {0x30, 0x03, 0x0a, 0x01, 0x03});

    assertThat(broken()).isEmpty();
    assertThat(later).hasValue(1);
  }
}
