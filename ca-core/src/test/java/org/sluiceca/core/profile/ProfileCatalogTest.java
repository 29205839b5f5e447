package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.OctetString;

/** Several versions of one profile: one issues, all can be looked up. */
class ProfileCatalogTest {

  @Test
  void find_severalVersions_theHighestIssues() {
    ProfileCatalog catalog =
        new ProfileCatalog(List.of(version(2), version(10), version(9), Fixtures.rootCa()));

    assertThat(catalog.find(version(1).name()).orElseThrow().version().number()).isEqualTo(10);
    assertThat(catalog.all())
        .extracting(p -> p.name().value() + p.version().number())
        .containsExactly("root-ca1", "tls-server10");
    assertThat(catalog.versions()).hasSize(4);
    assertThat(catalog.find(version(1).name(), 9).orElseThrow().version().number()).isEqualTo(9);
    assertThat(catalog.find(version(1).name(), 1)).isEmpty();
  }

  @Test
  void construct_oneVersionTwice_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProfileCatalog(List.of(version(2), version(2))))
        .withMessageContaining("two profiles named tls-server");
  }

  @Test
  void replace_anOlderVersion_issuesAndTheNewerIsStillFound() {
    CertificateProfile old = version(2);
    ProfileCatalog catalog = new ProfileCatalog(List.of(old, version(3)));

    catalog.replace(List.of(old, version(3), Fixtures.rootCa()), List.of(old), Map.of());

    assertThat(catalog.find(old.name())).containsSame(old);
    assertThat(catalog.find(old.name(), 3)).isPresent();
    // What is not to issue does not, though it is known.
    assertThat(catalog.all()).containsExactly(old);
    assertThat(catalog.versions()).hasSize(3);
  }

  @Test
  void replace_whatContradictsItself_refusedAndNothingChanged() {
    CertificateProfile two = version(2);
    CertificateProfile three = version(3);
    ProfileCatalog catalog = new ProfileCatalog(List.of(two));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog.replace(List.of(two, version(2)), List.of(two), Map.of()))
        .withMessageContaining("of version 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog.replace(List.of(two, three), List.of(two, three), Map.of()))
        .withMessageContaining("are to issue");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog.replace(List.of(two), List.of(three), Map.of()))
        .withMessageContaining("unknown version");
    assertThat(catalog.find(two.name())).containsSame(two);
  }

  @Test
  void replace_oneUnavailable_isNotFoundAndItsReasonIs() {
    CertificateProfile two = version(2);
    ProfileCatalog catalog = new ProfileCatalog(List.of(two));

    catalog.replace(List.of(two), List.of(), Map.of("tls-server", "issuer x is not here"));

    assertThat(catalog.find(two.name())).isEmpty();
    assertThat(catalog.unavailable(two.name())).contains("issuer x is not here");
    assertThat(catalog.unavailable(Fixtures.rootCa().name())).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> catalog.replace(List.of(two), List.of(two), Map.of("tls-server", "not here")));
    catalog.replace(List.of(two), List.of(two), Map.of());
    assertThat(catalog.unavailable(two.name())).isEmpty();
  }

  @Test
  void version_bounds_bothSides() {
    assertThat(version(1_000_000).version().number()).isEqualTo(1_000_000);
    for (int number : new int[] {0, -1, 1_000_001}) {
      assertThatIllegalArgumentException().isThrownBy(() -> version(number));
    }
  }

  private static CertificateProfile version(int number) {
    CertificateProfile profile = Fixtures.tlsServer();
    return new CertificateProfile(
        profile.name(),
        profile.description(),
        profile.use(),
        profile.issuer(),
        profile.content(),
        new ProfileVersion(number, true, OctetString.copyOf(new byte[32])));
  }
}
