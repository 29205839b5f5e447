package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.blackbox.StatusCast.Breadth;
import org.sluiceca.blackbox.StatusCast.Issuer;
import org.sluiceca.blackbox.StatusCast.Member;
import org.sluiceca.blackbox.StatusCast.Status;
import org.sluiceca.blackbox.StatusQuestion.Clock;
import org.sluiceca.blackbox.StatusTool.Verdict;

/**
 * Three foreign programs that ask by OCSP and three that read CRLs agree about certificates of
 * every status, and believe none of the lies. What is asked about certificates that have ended
 * comes last, for they live for some seconds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class StatusAgreement {

  private static final String FRESHEST = "2.5.29.46";

  private static final int LAST = Integer.MAX_VALUE;

  @RegisterExtension final TrialExtension trial;

  private final Breadth breadth;

  @SuppressWarnings("NullAway.Init") // certify() sets it.
  private StatusCast cast;

  StatusAgreement(Breadth breadth) {
    this.breadth = breadth;
    this.trial = TrialExtension.own(breadth::options);
  }

  @BeforeAll
  void certify() {
    cast = StatusCast.of(trial.trial(), breadth);
  }

  StatusCast cast() {
    return cast;
  }

  /** The matrix: what each program says of each certificate, by the clock. */
  @Test
  @Order(LAST)
  void everyTool_everyCertificate_saysWhatIsSo() {
    cast.awaitEnds();
    long start = System.nanoTime();
    for (Issuer issuer : cast.issuers()) {
      assertThat(cast.crls(issuer).getFirst().getNonCriticalExtensionOIDs()).contains(FRESHEST);
    }

    List<String> lies = differences(cast.members(), Clock.NOW, List.of(StatusTool.values()));

    assertThat(lies).isEmpty();
    assertThat(cast.members())
        .hasSize(breadth.issuers().size() * breadth.keys().size() * Status.values().length);
    Evidence.append(
        "agreement.txt",
        "%d certificates, %d answers, in %s"
            .formatted(
                cast.members().size(),
                cast.members().size() * StatusTool.values().length,
                Duration.ofNanos(System.nanoTime() - start)));
    for (Status status : Status.values()) {
      Evidence.append(
          "agreement.txt",
          "%-16s %s"
              .formatted(
                  status,
                  Stream.of(StatusTool.values())
                      .map(tool -> tool + " " + expected(status, tool, Clock.NOW))
                      .collect(Collectors.joining(", "))));
    }
  }

  /** Given an earlier time, tools that check dates agree with the others on expired ones. */
  @Test
  @Order(LAST)
  void pathValidators_expiredAndToldAnEarlierTime_sayWhatTheOthersSay() {
    cast.awaitEnds();
    List<Member> expired =
        cast.members().stream().filter(member -> member.status().isExpired()).toList();

    assertThat(
            differences(
                expired,
                Clock.BEFORE_ITS_END,
                Stream.of(StatusTool.values()).filter(StatusTool::isPathValidator).toList()))
        .isEmpty();
  }

  /** The oracle itself: with two certificates of other status swapped, each program says so. */
  @Test
  void expectation_ofAnotherCertificate_differsForEveryTool() {
    for (Issuer issuer : cast.issuers()) {
      Member good = cast.of(issuer, Status.GOOD);
      Member bad = cast.of(issuer, Status.REVOKED);
      List<Member> swapped = List.of(as(good, Status.REVOKED), as(bad, Status.GOOD));

      assertThat(differences(swapped, Clock.NOW, List.of(StatusTool.values())))
          .hasSize(2 * StatusTool.values().length);
      Member unknown = as(cast.of(issuer, Status.NEVER_ISSUED), Status.GOOD);
      assertThat(differences(List.of(unknown), Clock.NOW, StatusTool.BY_OCSP)).hasSize(3);
    }
  }

  private static Member as(Member member, Status status) {
    return new Member(
        member.issuer(), member.key(), member.csr(), status, member.certificate(), member.pem());
  }

  @Test
  void ocsp_relayedUnchanged_believed() {
    for (Issuer issuer : cast.issuers()) {
      assertThat(answers(cast.of(issuer, Status.REVOKED), request -> cast.answer(request)))
          .as(issuer.name())
          .isEqualTo(all(Verdict.REVOKED));
    }
  }

  @Test
  void ocsp_responseAboutAnotherSerialNumber_refused() {
    for (Issuer issuer : cast.issuers()) {
      Member revoked = cast.of(issuer, Status.REVOKED);
      Member good = cast.of(issuer, Status.GOOD);

      assertThat(
              answers(
                  revoked,
                  request ->
                      cast.answer(
                          LyingResponder.about(
                              good.certificate(), revoked.certificate(), request))))
          .as(issuer.name())
          .isEqualTo(all(Verdict.REFUSED));
    }
  }

  @Test
  void ocsp_signedByAnotherKey_refused() {
    for (Issuer issuer : cast.issuers()) {
      assertThat(
              answers(cast.of(issuer, Status.GOOD), request -> Resigned.ocsp(cast.answer(request))))
          .as(issuer.name())
          .isEqualTo(all(Verdict.REFUSED));
    }
  }

  /** RFC 6960 4.2.2.2: a certificate of the issuer without id-kp-OCSPSigning is no responder. */
  @Test
  void ocsp_signedByAServersCertificate_refused() {
    for (Issuer issuer : cast.issuers()) {
      Member revoked = cast.of(issuer, Status.REVOKED);
      Member server = cast.of(issuer, Status.GOOD);

      assertThat(answers(revoked, request -> LyingResponder.good(revoked, server, request)))
          .as(issuer.name())
          .isEqualTo(all(Verdict.REFUSED));
    }
  }

  /** The JDK lets clocks differ by 15 minutes. */
  @Test
  void ocsp_beyondNextUpdate_refusedByTheJdk() {
    for (Issuer issuer : cast.issuers()) {
      StatusQuestion good = StatusQuestion.of(cast, cast.of(issuer, Status.GOOD));
      AtomicReference<byte[]> told = new AtomicReference<>();
      try (LyingResponder relay = relay(told)) {
        assertThat(StatusTool.JDK_OCSP.ask(good.asking(relay.uri()))).isEqualTo(Verdict.GOOD);
      }
      byte[] answer = Objects.requireNonNull(told.get());

      assertThat(StatusTool.jdkGiven(answer, good)).as(issuer.name()).isEqualTo(Verdict.GOOD);
      assertThat(StatusTool.jdkGiven(answer, good.at(Clock.AFTER_NEXT_UPDATE)))
          .as(issuer.name())
          .isEqualTo(Verdict.REFUSED);
    }
  }

  /** Goes on telling the first answer that it got: programs ask in their own ways. */
  LyingResponder relay(AtomicReference<byte[]> first) {
    return new LyingResponder(
        request -> {
          if (first.get() == null) {
            first.set(cast.answer(request));
          }
          return Objects.requireNonNull(first.get());
        });
  }

  @Test
  void crl_ofAnotherIssuer_refused() {
    for (Issuer issuer : cast.issuers()) {
      Issuer other =
          cast.issuers().get((cast.issuers().indexOf(issuer) + 1) % cast.issuers().size());

      assertThat(read(cast.of(issuer, Status.GOOD), cast.crls(other), StatusTool.BY_CRL))
          .as(issuer.name())
          .isEqualTo(all(StatusTool.BY_CRL, Verdict.REFUSED));
    }
  }

  @Test
  void crl_signedByAnotherKey_refused() {
    for (Issuer issuer : cast.issuers()) {
      List<X509CRL> forged = new ArrayList<>(cast.crls(issuer));
      forged.set(0, Resigned.crl(forged.getFirst(), issuer.certificate().getPublicKey()));

      for (Status status : List.of(Status.GOOD, Status.REVOKED)) {
        assertThat(read(cast.of(issuer, status), forged, StatusTool.BY_CRL))
            .as(issuer.name())
            .isEqualTo(all(StatusTool.BY_CRL, Verdict.REFUSED));
      }
    }
  }

  /** openssl crl compares no times: it has no option for one. */
  @Test
  void crl_beyondNextUpdate_refused() {
    for (Issuer issuer : cast.issuers()) {
      StatusQuestion late =
          StatusQuestion.of(cast, cast.of(issuer, Status.GOOD)).at(Clock.AFTER_NEXT_UPDATE);

      assertThat(StatusTool.OPENSSL_VERIFY.ask(late)).as(issuer.name()).isEqualTo(Verdict.REFUSED);
      assertThat(StatusTool.JDK_CRL.ask(late)).as(issuer.name()).isEqualTo(Verdict.REFUSED);
    }
  }

  /** What is so, as far as the tool can know. */
  private static Verdict expected(Status status, StatusTool tool, Clock clock) {
    if (status.isExpired() && tool.isPathValidator() && clock == Clock.NOW) {
      // openssl looks at CRLs before it looks at dates; the JDK the other way round.
      return status == Status.EXPIRED_REVOKED && tool == StatusTool.OPENSSL_VERIFY
          ? Verdict.REVOKED
          : Verdict.EXPIRED;
    }
    return switch (status) {
      case GOOD, RELEASED, EXPIRED -> Verdict.GOOD;
      case REVOKED, HELD, EXPIRED_REVOKED -> Verdict.REVOKED;
      // A CRL lists what is revoked, and says nothing of what was issued (RFC 5280 3.3).
      case NEVER_ISSUED -> StatusTool.BY_OCSP.contains(tool) ? Verdict.UNKNOWN : Verdict.GOOD;
    };
  }

  private List<String> differences(List<Member> members, Clock clock, List<StatusTool> tools) {
    return members.parallelStream()
        .flatMap(
            member ->
                tools.stream()
                    .flatMap(
                        tool -> {
                          Verdict expected = expected(member.status(), tool, clock);
                          Verdict said = tool.ask(StatusQuestion.of(cast, member).at(clock));
                          return said == expected
                              ? Stream.empty()
                              : Stream.of(
                                  member + ": " + tool + " says " + said + ", not " + expected);
                        }))
        .toList();
  }

  /** What each tool makes of a responder that answers so. */
  private Map<StatusTool, Verdict> answers(Member member, UnaryOperator<byte[]> lie) {
    try (LyingResponder responder = new LyingResponder(lie)) {
      StatusQuestion question = StatusQuestion.of(cast, member).asking(responder.uri());
      Map<StatusTool, Verdict> said = new TreeMap<>();
      for (StatusTool tool : StatusTool.BY_OCSP) {
        int before = responder.description();
        said.put(tool, tool.ask(question));
        // Or it has refused nothing.
        assertThat(responder.description()).as("%s has asked", tool).isGreaterThan(before);
      }
      return said;
    }
  }

  private Map<StatusTool, Verdict> read(Member member, List<X509CRL> crls, List<StatusTool> tools) {
    return said(StatusQuestion.of(cast, member).with(crls), tools);
  }

  private static Map<StatusTool, Verdict> said(StatusQuestion question, List<StatusTool> tools) {
    Map<StatusTool, Verdict> said = new TreeMap<>();
    tools.forEach(tool -> said.put(tool, tool.ask(question)));
    return said;
  }

  private static Map<StatusTool, Verdict> all(Verdict verdict) {
    return all(StatusTool.BY_OCSP, verdict);
  }

  private static Map<StatusTool, Verdict> all(List<StatusTool> tools, Verdict verdict) {
    Map<StatusTool, Verdict> all = new TreeMap<>();
    tools.forEach(tool -> all.put(tool, verdict));
    return all;
  }
}
