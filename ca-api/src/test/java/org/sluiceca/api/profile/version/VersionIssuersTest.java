package org.sluiceca.api.profile.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** Whom a version may have sign. */
class VersionIssuersTest {

  private static final CertificateDer ANY = CertificateDer.of(new byte[] {1});
  private static final ProfileCatalog SHIPPED = ProfileFiles.read(ProfileFiles.CLASSPATH);

  /** Planted: the ceremony's installed root is an active row like any other. */
  @Test
  void of_everythingInstalled_onlyWhatFilesEnrollUnder() {
    List<RegisteredIssuer> rows =
        List.of(
            row("root", State.ACTIVE, List.of()),
            row("issuing", State.ACTIVE, List.of(ANY)),
            row("elsewhere", State.ACTIVE, List.of(ANY)));

    assertThat(VersionIssuers.of(SHIPPED, rows)).containsExactly(new IssuerName("issuing"));
  }

  @Test
  void of_retired_notAllowed() {
    assertThat(VersionIssuers.of(SHIPPED, List.of(row("issuing", State.RETIRED, List.of(ANY)))))
        .isEmpty();
  }

  /** A file may have a root sign what it enrolls, or the issuer of sub-CAs: a version may not. */
  @Test
  void of_fileOverARootOrAnIssuerOfCas_notAllowed() {
    ProfileCatalog files =
        new ProfileCatalog(
            Stream.concat(SHIPPED.versions().stream(), Stream.of(web("single"), web("root")))
                .toList());
    List<RegisteredIssuer> rows =
        List.of(
            row("single", State.ACTIVE, List.of()),
            // Installed with a chain, as a sub-CA is: the file of sub-ca still names it.
            row("root", State.ACTIVE, List.of(ANY)));

    assertThat(VersionIssuers.of(files, rows)).isEmpty();
  }

  private static CertificateProfile web(String issuer) {
    return ProfileFiles.parse(
        issuer,
        VersionFiles.yaml("web-" + issuer, 2, "P10D")
            .replace("issuer: issuing", "issuer: " + issuer)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static RegisteredIssuer row(String name, State state, List<CertificateDer> chain) {
    return new RegisteredIssuer(
        new IssuerName(name),
        OctetString.copyOf(new byte[] {1}),
        ANY,
        chain,
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "issuing"),
        state,
        new RegisteredIssuer.Origin(Optional.empty(), ANY, 0, Fixtures.NOW));
  }
}
