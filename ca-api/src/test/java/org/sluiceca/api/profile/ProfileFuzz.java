package org.sluiceca.api.profile;

import org.sluiceca.core.profile.CertificateProfile;

/**
 * Any bytes as a profile file: refused by an exception that names the file, or a profile that is
 * whole. Driven by {@code deploy/local/fuzz.sh ProfileFuzz}.
 */
public final class ProfileFuzz {

  private ProfileFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      CertificateProfile profile = ProfileFiles.parse("fuzz.yaml", data);
      if (profile.content().key().algorithms().isEmpty()) {
        throw new AssertionError("a profile without a key algorithm");
      }
    } catch (IllegalArgumentException e) {
      if (!String.valueOf(e.getMessage()).contains("fuzz.yaml")) {
        throw new AssertionError("a fault without the file's name", e);
      }
    }
  }
}
