package org.sluiceca.api.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuer.ActiveIssuers.PublicSide;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.Origin;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/** Which issuers a node starts with, and which it cannot start without. */
class ActiveIssuersTest {

  private static final Optional<RequesterId> CEREMONY = Optional.empty();
  private static final Optional<RequesterId> NETWORK = Optional.of(new RequesterId("alice"));

  /** They name the issuer {@code issuing}. */
  private static final ProfileCatalog FILES = new ProfileCatalog(Fixtures.profiles());

  private final Issuer fixture = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));

  @Test
  void of_fileNamesARetiredIssuer_startsWithoutIt() {
    ActiveIssuers issuers =
        of(row("issuing", State.RETIRED, CEREMONY), row("second", State.ACTIVE, CEREMONY));

    assertThat(issuers.catalog().all()).extracting(Issuer::name).containsExactly(name("second"));
    assertThat(issuers.required()).containsExactly(KeyName.of(name("second")));
  }

  @Test
  void of_fileNamesWhatIsNotInstalled_refused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> of(row("second", State.ACTIVE, CEREMONY)))
        .withMessageContaining("names issuer issuing, which is not installed");
  }

  @Test
  void of_allRetired_refused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> of(row("issuing", State.RETIRED, CEREMONY)))
        .withMessageContaining("no active issuer");
  }

  /** A client that may install over the network must not be able to keep nodes from starting. */
  @Test
  void of_installedOverTheNetwork_requiredWhereAFileNamesItAlone() {
    ActiveIssuers unnamed =
        of(row("issuing", State.ACTIVE, CEREMONY), row("second", State.ACTIVE, NETWORK));
    ActiveIssuers named = of(row("issuing", State.ACTIVE, NETWORK));

    assertThat(unnamed.catalog().find(name("second"))).isPresent();
    assertThat(unnamed.required()).containsExactly(KeyName.of(name("issuing")));
    assertThat(named.required()).containsExactly(KeyName.of(name("issuing")));
  }

  /** What was planned before a renewal is issued after it, and may then last as long as that. */
  @Test
  void of_renewed_sinceItsFirstCertificateUntilTheNewestEnds() {
    Validity newest = new Validity(Fixtures.NOW, Fixtures.NOW.plus(Duration.ofDays(9_000)));

    ActiveIssuers issuers = of(row("issuing", State.ACTIVE, CEREMONY, newest));

    assertThat(issuers.catalog().find(name("issuing")).orElseThrow().validity())
        .isEqualTo(new Validity(fixture.validity().notBefore(), newest.notAfter()));
  }

  private static IssuerName name(String name) {
    return new IssuerName(name);
  }

  private static ActiveIssuers of(RegisteredIssuer... rows) {
    return ActiveIssuers.of(
        List.of(rows), Set.of("here"), FILES, PublicSide.at("http://pki.example.com"), Set.of());
  }

  private RegisteredIssuer row(String name, State state, Optional<RequesterId> by) {
    return row(name, state, by, fixture.validity());
  }

  private RegisteredIssuer row(
      String name, State state, Optional<RequesterId> by, Validity newest) {
    return new RegisteredIssuer(
        name(name),
        OctetString.copyOf(fixture.subjectPublicKeyInfo().encoded()),
        certificate(newest),
        List.of(),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "here"),
        state,
        new Origin(by, certificate(fixture.validity()), 0, Fixtures.NOW));
  }

  private CertificateDer certificate(Validity validity) {
    return TbsCertificateWriter.assemble(
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(new byte[] {1}),
                SignatureAlgorithm.ECDSA_SHA256,
                fixture.subject(),
                validity,
                fixture.subject(),
                fixture.subjectPublicKeyInfo(),
                List.of(Extensions.subjectKeyIdentifier(new byte[20])))),
        SignatureAlgorithm.ECDSA_SHA256,
        Intents.signature(1));
  }
}
