package org.sluiceca.api.profile.store;

import java.nio.charset.StandardCharsets;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileVersion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.OctetString;

/** Profiles as stored, whose content a test chooses. */
final class Versions {

  private Versions() {}

  static CertificateProfile profile(ProfileName name, int version, String content) {
    CertificateProfile server = Fixtures.tlsServer();
    byte[] digest = new byte[32];
    byte[] text = content.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(text, 0, digest, 0, Math.min(32, text.length));
    return new CertificateProfile(
        name,
        server.description(),
        server.use(),
        server.issuer(),
        server.content(),
        new ProfileVersion(version, true, OctetString.copyOf(digest)));
  }

  static OctetString octets(String text) {
    return OctetString.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }
}
