package org.sluiceca.api.certificate.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.store.CredentialEnds;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/** What the metrics say of everything that ends. */
class ExpiryWatchTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Issuer FIXTURE = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicReference<List<RegisteredIssuer>> issuers = new AtomicReference<>(List.of());
  private final AtomicReference<Collection<Responder>> responders =
      new AtomicReference<>(List.of());
  private final AtomicReference<Optional<Instant>> node = new AtomicReference<>(Optional.empty());
  private final AtomicReference<List<CredentialEnds.End>> credentials =
      new AtomicReference<>(List.of());
  private final ExpiryWatch watch =
      new ExpiryWatch(
          new ExpiryWatch.Sources(
              issuers::get, responders::get, node::get, () -> credentials.get()),
          registry);

  private static Instant days(int days) {
    return NOW.plus(Duration.ofDays(days));
  }

  private static CertificateDer certificate(Instant notAfter) {
    return TbsCertificateWriter.assemble(
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(new byte[] {1}),
                SignatureAlgorithm.ECDSA_SHA256,
                FIXTURE.subject(),
                new Validity(NOW.minus(Duration.ofDays(1)), notAfter),
                FIXTURE.subject(),
                FIXTURE.subjectPublicKeyInfo(),
                List.of(Extensions.subjectKeyIdentifier(new byte[20])))),
        SignatureAlgorithm.ECDSA_SHA256,
        OctetString.copyOf(new byte[] {1}));
  }

  private static RegisteredIssuer issuer(String name, State state, Instant... ends) {
    List<CertificateDer> chain = List.of(ends).stream().map(ExpiryWatchTest::certificate).toList();
    return new RegisteredIssuer(
        new IssuerName(name),
        OctetString.copyOf(FIXTURE.subjectPublicKeyInfo().encoded()),
        chain.getFirst(),
        chain.subList(1, chain.size()),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "issuing"),
        state,
        new RegisteredIssuer.Origin(Optional.empty(), chain.getFirst(), 0, NOW));
  }

  private static Responder responder(String issuer, Instant end) throws DerException {
    return Responder.of(new IssuerName(issuer), certificate(end));
  }

  private Instant shown(String name, String... tags) {
    return Instant.ofEpochSecond((long) registry.get(name).tags(tags).gauge().value());
  }

  @Test
  void look_issuers_ownEndAndTheFirstAbove() {
    issuers.set(
        List.of(
            issuer("issuing", State.ACTIVE, days(900), days(3_000), days(2_000)),
            issuer("old", State.RETIRED, days(30), days(3_000)),
            issuer("root", State.ACTIVE, days(3_000))));

    watch.look();

    String own = "ca.issuer.not.after.timestamp.seconds";
    assertThat(shown(own, "issuer", "issuing", "state", "active")).isEqualTo(days(900));
    assertThat(shown(own, "issuer", "old", "state", "retired")).isEqualTo(days(30));
    assertThat(shown(own, "issuer", "root", "state", "active")).isEqualTo(days(3_000));
    String above = "ca.issuer.chain.not.after.timestamp.seconds";
    assertThat(shown(above, "issuer", "issuing")).isEqualTo(days(2_000));
    assertThat(registry.find(above).tags("issuer", "root").gauge()).isNull();
    // Retired meanwhile: one series of it, not two.
    issuers.set(List.of(issuer("issuing", State.RETIRED, days(900))));
    watch.look();
    assertThat(registry.find(own).gauges()).hasSize(1);
    assertThat(shown(own, "issuer", "issuing", "state", "retired")).isEqualTo(days(900));
  }

  @Test
  void look_issuersChange_shownAtTheNextLook() {
    String own = "ca.issuer.not.after.timestamp.seconds";
    RegisteredIssuer first = issuer("a", State.ACTIVE, days(30));
    RegisteredIssuer second = issuer("b", State.ACTIVE, days(60));
    issuers.set(List.of(first));
    watch.look();

    issuers.set(List.of(first, second));
    watch.look();
    assertThat(shown(own, "issuer", "a", "state", "active")).isEqualTo(days(30));
    assertThat(shown(own, "issuer", "b", "state", "active")).isEqualTo(days(60));

    issuers.set(List.of(second));
    watch.look();
    assertThat(registry.find(own).gauges())
        .extracting(gauge -> gauge.getId().getTag("issuer"))
        .containsExactly("b");
  }

  /** A gauge that is registered again is twice there for a moment, and a scrape then fails. */
  @Test
  void look_again_eachGaugeStaysTheSameAndShowsTheNewEnd() {
    String chain = "ca.issuer.chain.not.after.timestamp.seconds";
    issuers.set(List.of(issuer("a", State.ACTIVE, days(30), days(300))));
    watch.look();
    Meter before = registry.get(chain).gauge();

    issuers.set(List.of(issuer("a", State.ACTIVE, days(40), days(400))));
    watch.look();

    // Two gauges of one name are equal: it must be the very same.
    assertThat(registry.get(chain).gauge()).isSameAs(before);
    assertThat(shown(chain, "issuer", "a")).isEqualTo(days(400));
  }

  /** One that ended is not among those that sign: its series must not vanish with it. */
  @Test
  void look_responderEnded_itsEndStays() throws DerException {
    String name = "ca.ocsp.responder.not.after.timestamp.seconds";
    responders.set(List.of(responder("issuing", days(30)), responder("old", days(3))));
    watch.look();

    responders.set(List.of(responder("issuing", days(60))));
    watch.look();

    assertThat(shown(name, "issuer", "issuing")).isEqualTo(days(60));
    assertThat(shown(name, "issuer", "old")).isEqualTo(days(3));
  }

  @Test
  void look_nodeAndCredentials_byRoleNeverByName() {
    assertThat(registry.get("ca.tls.not.after.timestamp.seconds").gauge().value()).isNaN();
    node.set(Optional.of(days(90)));
    credentials.set(
        List.of(
            new CredentialEnds.End(Role.ADMIN, days(2), days(200)),
            new CredentialEnds.End(Role.REQUESTER, days(5), days(5))));

    watch.look();

    assertThat(shown("ca.tls.not.after.timestamp.seconds")).isEqualTo(days(90));
    assertThat(shown("ca.credential.first.end.timestamp.seconds", "role", "admin"))
        .isEqualTo(days(2));
    assertThat(shown("ca.credential.last.end.timestamp.seconds", "role", "admin"))
        .isEqualTo(days(200));
    assertThat(registry.find("ca.credential.first.end.timestamp.seconds").gauges())
        .extracting(g -> g.getId().getTags().toString())
        .containsExactlyInAnyOrder("[tag(role=admin)]", "[tag(role=requester)]");
  }

  /** Without a database the last values stay. */
  @Test
  void look_databaseAway_lastValuesStay() {
    credentials.set(List.of(new CredentialEnds.End(Role.ADMIN, days(2), days(2))));
    watch.look();
    ExpiryWatch broken =
        new ExpiryWatch(
            new ExpiryWatch.Sources(
                issuers::get,
                responders::get,
                node::get,
                () -> {
                  throw new LedgerUnavailable("away");
                }),
            registry);

    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(broken::look);

    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .extracting(Meter.Id::getName)
        .contains("ca.credential.last.end.timestamp.seconds");
    assertThat(shown("ca.credential.last.end.timestamp.seconds", "role", "admin"))
        .isEqualTo(days(2));
  }
}
