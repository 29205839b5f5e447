package org.sluiceca.api.issuer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuer.ActiveIssuers.PublicSide;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** Retired issuers answer for their certificates, and issue none. */
class StatusIssuersTest {

  private static final PublicSide PUBLIC = PublicSide.at("http://pki.example.com");
  private static final IssuerName OLD = new IssuerName("old");
  private static final IssuerName NEW = new IssuerName("new");

  private final Issuer fixture = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));

  @Test
  void of_retired_thereWithItsKeyUntilItsEnd() {
    Instant end = fixture.validity().notAfter();

    StatusIssuers before = issuers(List.of(row(OLD, State.RETIRED)), end.minusSeconds(1));
    StatusIssuers after = issuers(List.of(row(OLD, State.RETIRED)), end);

    assertThat(before.catalog().find(OLD)).isPresent();
    assertThat(before.keys()).containsKey(KeyName.of(OLD));
    assertThat(after.catalog().find(OLD)).isEmpty();
    assertThat(after.keys()).doesNotContainKey(KeyName.of(OLD));
  }

  @Test
  void of_active_asItIs() {
    StatusIssuers issuers = issuers(List.of(row(NEW, State.ACTIVE)), Fixtures.NOW);

    assertThat(issuers.catalog().all()).extracting(Issuer::name).containsExactly(NEW);
    assertThat(issuers.retired()).isEmpty();
  }

  /** Installed again under another name: OCSP requests name both alike. */
  @Test
  void distinct_sameNameAndKey_theOneThatIssues() {
    StatusIssuers issuers =
        issuers(List.of(row(OLD, State.RETIRED), row(NEW, State.ACTIVE)), Fixtures.NOW);

    assertThat(issuers.catalog().all()).hasSize(2);
    assertThat(issuers.distinct()).extracting(Issuer::name).containsExactly(NEW);
  }

  private StatusIssuers issuers(List<RegisteredIssuer> rows, Instant now) {
    List<Issuer> active =
        rows.stream()
            .filter(r -> r.state() == State.ACTIVE)
            .map(r -> ActiveIssuers.issuer(r, PUBLIC))
            .toList();
    return StatusIssuers.of(
        rows, new ActiveIssuers(new IssuerCatalog(active), Map.of(), Set.of()), PUBLIC, now);
  }

  private RegisteredIssuer row(IssuerName name, State state) {
    return new RegisteredIssuer(
        name,
        OctetString.copyOf(fixture.subjectPublicKeyInfo().encoded()),
        certificate(),
        List.of(),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "issuing"),
        state,
        new RegisteredIssuer.Origin(Optional.empty(), certificate(), 0, Fixtures.NOW));
  }

  private CertificateDer certificate() {
    return TbsCertificateWriter.assemble(
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(new byte[] {1}),
                SignatureAlgorithm.ECDSA_SHA256,
                fixture.subject(),
                fixture.validity(),
                fixture.subject(),
                fixture.subjectPublicKeyInfo(),
                List.of(Extensions.subjectKeyIdentifier(new byte[20])))),
        SignatureAlgorithm.ECDSA_SHA256,
        Intents.signature(1));
  }
}
