package org.sluiceca.api.profile.version;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/** Files and rows for tests of this package. */
public final class VersionFiles {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  static final RequesterId ADMIN = new RequesterId("admin");

  private VersionFiles() {}

  /** A server's profile that lasts as long as {@code duration} says. */
  public static String yaml(String name, int version, String duration) {
    return """
        name: %s
        version: %d
        description: Servers, for a test
        use: enrollment
        issuer: issuing
        validity: {duration: %s, backdate: PT5M, clampToIssuer: true}
        subject: {optional: [common_name]}
        key: {algorithms: [ec_p256]}
        subjectAltName: {forms: [dns, ip], countMax: 20, required: true}
        extensions:
          keyUsage: [digital_signature]
          extendedKeyUsage: [server_auth]
          ca: false
          revocation: crl
        """
        .formatted(name, version, duration);
  }

  static StoredVersion file(String name, int version, String duration) {
    return stored(
        new ProfileName(name),
        version,
        yaml(name, version, duration).getBytes(StandardCharsets.UTF_8));
  }

  static StoredVersion stored(ProfileName name, int version, byte[] content) {
    return new StoredVersion(name, version, OctetString.copyOf(content), ADMIN, NOW);
  }

  static List<StoredVersion.Key> keys(List<StoredVersion> versions) {
    return versions.stream()
        .map(e -> new StoredVersion.Key(e.name(), e.version(), Digest.sha256(e.content().octets())))
        .toList();
  }

  static Activation activation(long number, ProfileName name, int version) {
    return new Activation(number, name, OptionalInt.of(version), ADMIN, NOW);
  }

  static Activation toFile(long number, ProfileName name) {
    return new Activation(number, name, OptionalInt.empty(), ADMIN, NOW);
  }
}
