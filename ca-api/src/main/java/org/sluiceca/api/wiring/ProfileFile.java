package org.sluiceca.api.wiring;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.profile.SanPolicy;
import org.sluiceca.core.profile.SubjectPolicy;
import org.sluiceca.core.profile.ValidityPolicy;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * A profile as its YAML file says it. Every key that is not optional below must be there, and no
 * other may; docs/CONFIGURATION.md explains each.
 */
record ProfileFile(
    @JsonProperty(required = true) String name,
    @JsonProperty(required = true) String description,
    @JsonProperty(required = true) CertificateProfile.Use use,
    @JsonProperty(required = true) String issuer,
    @JsonProperty(required = true) ValiditySection validity,
    @JsonProperty(required = true) SubjectSection subject,
    @JsonProperty(required = true) KeySection key,
    @Nullable NamesSection subjectAltName,
    @JsonProperty(required = true) ExtensionsSection extensions) {

  /** How long. */
  record ValiditySection(
      @JsonProperty(required = true) Duration duration,
      @JsonProperty(required = true) Duration backdate,
      boolean clampToIssuer) {}

  /** Which subject attributes. */
  record SubjectSection(
      @Nullable Set<NameAttribute> required, @Nullable Set<NameAttribute> optional) {}

  /** Which keys. */
  record KeySection(
      @JsonProperty(required = true) Set<PublicKeyAlgorithm> algorithms,
      @Nullable Integer rsaBitsMin) {}

  /** Which alternative names; without the section, none. */
  record NamesSection(
      @JsonProperty(required = true) Set<SanPolicy.Form> forms,
      @JsonProperty(required = true) int countMax,
      boolean required,
      boolean wildcards,
      boolean commonNameAsDns) {}

  /** Which extensions. */
  record ExtensionsSection(
      @JsonProperty(required = true) Set<KeyUsage> keyUsage,
      @Nullable List<ExtendedKeyUsage> extendedKeyUsage,
      boolean ca,
      @Nullable Integer pathLen,
      @JsonProperty(required = true) ExtensionPolicy.Revocation revocation) {}

  /** The smallest RSA modulus where a file does not say: what no profile may go below. */
  private static final int RSA_BITS_MIN = 2048;

  /**
   * Returns the validated profile.
   *
   * @throws IllegalArgumentException that says what contradicts what
   */
  CertificateProfile validated() {
    return new CertificateProfile(
        new ProfileName(name),
        description,
        use,
        new IssuerName(issuer),
        new CertificateProfile.Content(
            new ValidityPolicy(validity.duration, validity.backdate, validity.clampToIssuer),
            new SubjectPolicy(orEmpty(subject.required), orEmpty(subject.optional)),
            new KeyPolicy(key.algorithms, key.rsaBitsMin == null ? RSA_BITS_MIN : key.rsaBitsMin),
            names(),
            new ExtensionPolicy(
                extensions.keyUsage,
                extensions.extendedKeyUsage == null
                    ? Set.of()
                    : Set.copyOf(extensions.extendedKeyUsage),
                extensions.ca,
                extensions.pathLen == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(extensions.pathLen),
                extensions.revocation)));
  }

  private SanPolicy names() {
    return Optional.ofNullable(subjectAltName)
        .map(n -> new SanPolicy(n.forms, n.required, n.countMax, n.wildcards, n.commonNameAsDns))
        .orElseGet(() -> new SanPolicy(Set.of(), false, 0, false, false));
  }

  private static <T> Set<T> orEmpty(@Nullable Set<T> set) {
    return set == null ? Set.of() : set;
  }
}
