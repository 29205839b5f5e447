package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CrlDer;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Which CRLs there are, will be and never are. */
class CrlControllerTest {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final String ISSUING = "issuing";

  private static final IssuerCatalog ROOTS = new IssuerCatalog(List.of(root()));

  @TempDir Path temporary;
  private final MockHttpServletRequest request = new MockHttpServletRequest();
  private final MockHttpServletResponse response = new MockHttpServletResponse();
  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final IssuerCatalog issuers =
      new IssuerCatalog(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"))));
  private CrlFolder folder;

  @BeforeEach
  void make() throws IOException {
    folder = new CrlFolder(temporary, null);
  }

  @Test
  void get_notThereYet_triedAgainSoon() {
    CrlController crls = controller(2, true);

    assertUnavailable(() -> crls.complete(ISSUING, request, response));
    assertUnavailable(() -> crls.shard(ISSUING, "2", request, response));
    assertUnavailable(() -> crls.delta(ISSUING, request, response));
    assertUnavailable(() -> crls.shardDelta(ISSUING, "1", request, response));
  }

  @Test
  void get_neverThere_unknown() {
    CrlController crls = controller(1, false);

    assertUnknown(() -> crls.complete("unknown", request, response));
    assertUnknown(
        () ->
            new CrlController(folder, new OfferedCrls(ROOTS, 2, true), time)
                .delta("root", request, response));
    assertUnknown(
        () ->
            new CrlController(folder, new OfferedCrls(ROOTS, 2, true), time)
                .complete("root", request, response));
    assertUnknown(() -> crls.complete("UNKNOWN", request, response));
    assertUnknown(() -> crls.shard(ISSUING, "1", request, response));
    assertUnknown(() -> crls.shard(ISSUING, "01", request, response));
    assertUnknown(() -> crls.delta(ISSUING, request, response));
    assertUnknown(() -> controller(2, true).shard(ISSUING, "3", request, response));
    assertUnknown(() -> controller(2, true).shardDelta(ISSUING, "0", request, response));
  }

  @Test
  void get_there_cachedUntilItEndsAtMost() throws IOException {
    publish(5, new PlannedCrl.Kind.Complete(Fixtures.NOW, 0, Optional.empty()));
    publish(6, new PlannedCrl.Kind.Delta(5));
    CrlController crls = controller(1, true);

    assertThat(crls.publication(CrlName.complete(SCOPE)).entityTag()).isEqualTo("\"5\"");
    assertThat(crls.publication(CrlName.delta(SCOPE)).entityTag()).isEqualTo("\"6\"");
    assertThat(crls.publication(CrlName.delta(SCOPE)).maxAge()).isEqualTo(Duration.ofMinutes(1));
    time.pass(Duration.ofSeconds(550));
    assertThat(crls.publication(CrlName.delta(SCOPE)).maxAge()).isEqualTo(Duration.ofSeconds(50));
    time.pass(Duration.ofSeconds(50));
    assertUnavailable(() -> crls.delta(ISSUING, request, response));
  }

  private void publish(long number, PlannedCrl.Kind kind) throws IOException {
    folder.publish(
        new PlannedCrl(
            SCOPE,
            number,
            0,
            SignatureAlgorithm.ECDSA_SHA256,
            TbsCertListDer.of(new byte[] {1}),
            new PlannedCrl.Terms(0, false, Fixtures.NOW, Fixtures.NOW.plusSeconds(600), 0),
            kind),
        CrlDer.of(new byte[] {1}));
  }

  private CrlController controller(int shards, boolean hasDeltas) {
    return new CrlController(folder, new OfferedCrls(issuers, shards, hasDeltas), time);
  }

  private static Issuer root() {
    Issuer root = Fixtures.root(SoftwareKey.named("issuer-ec-p256"));
    return new Issuer(
        root.name(),
        root.subject(),
        root.subjectPublicKeyInfo(),
        root.keyIdentifier(),
        root.validity(),
        List.of(CertificateDer.of(new byte[] {1})),
        root.publications(),
        root.constraints());
  }

  private interface Call {
    void answer() throws IOException;
  }

  private static void assertUnavailable(Call call) {
    assertThatThrownBy(call::answer)
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> {
              assertThat(e.type()).isEqualTo(ProblemType.CRL_UNAVAILABLE);
              assertThat(e.retryAfter()).contains(Duration.ofSeconds(10));
            });
  }

  private static void assertUnknown(Call call) {
    assertThatThrownBy(call::answer)
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.NOT_FOUND));
  }
}
