package org.sluiceca.api.audit.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.version.VersionFiles;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;

/** What a chain of the audit trail begins with. */
class NodeStartTest {

  @Test
  void active_twoVersionsOfAProfile_onlyTheOneThatIssues() {
    CertificateProfile old = profile(2);
    CertificateProfile issuing = profile(3);
    ProfileCatalog profiles = new ProfileCatalog(List.of(old, issuing));

    assertThat(NodeStart.active(new IssuerCatalog(List.of()), profiles))
        .singleElement()
        .asString()
        .contains(issuing.version().digest().toString())
        .doesNotContain(old.version().digest().toString());
  }

  private static CertificateProfile profile(int version) {
    return ProfileFiles.parse(
        "file",
        VersionFiles.yaml("web", version, "P%dD".formatted(version))
            .getBytes(StandardCharsets.UTF_8));
  }
}
