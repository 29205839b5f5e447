package org.sluiceca.api.profile;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.profile.AttributeRule;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.profile.ProfileVersion;
import org.sluiceca.core.profile.SubjectPolicy;
import org.sluiceca.core.profile.ValidityPolicy;
import org.sluiceca.core.profile.ValidityPolicy.Term;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * A profile as its YAML file says it. Every key that is not optional below must be there, and no
 * other may; docs/PROFILES.md explains each.
 */
record ProfileFile(
    @Required String name,
    @Nullable Integer version,
    @Required String description,
    @Required CertificateProfile.Use use,
    @Required String issuer,
    @Nullable Lane lane,
    @Required ValiditySection validity,
    @Required SubjectSection subject,
    @Required KeySection key,
    @Nullable NamesSection subjectAltName,
    @Required ExtensionsSection extensions) {

  /** How long: one of the first two. */
  record ValiditySection(
      @Nullable Duration duration,
      @Nullable Instant notAfter,
      @Nullable Duration backdate,
      @Nullable Boolean clampToIssuer) {

    ValidityPolicy policy() {
      if ((duration == null) == (notAfter == null)) {
        throw new IllegalArgumentException("validity: either duration or notAfter");
      }
      return new ValidityPolicy(
          duration == null ? new Term.Until(notAfter) : new Term.Lasting(duration),
          Optional.ofNullable(backdate),
          isTrue(clampToIssuer));
    }
  }

  /** Which subject attributes. */
  record SubjectSection(
      @Nullable Set<String> required,
      @Nullable Set<String> optional,
      @Nullable Map<String, AttributeSection> attributes) {

    SubjectPolicy policy() {
      Map<NameAttribute, AttributeRule> rules = new EnumMap<>(NameAttribute.class);
      if (attributes != null) {
        attributes.forEach(
            (name, section) -> {
              NameAttribute type = attribute(name);
              if (section == null) {
                throw new IllegalArgumentException("subject attribute " + type + ": no rule");
              }
              if (rules.put(type, section.rule(type)) != null) {
                throw new IllegalArgumentException("subject attribute " + type + ": two rules");
              }
            });
      }
      return new SubjectPolicy(types(required), types(optional), rules);
    }

    private static Set<NameAttribute> types(@Nullable Set<String> names) {
      Set<NameAttribute> types = EnumSet.noneOf(NameAttribute.class);
      for (String name : names == null ? Set.<String>of() : names) {
        if (!types.add(attribute(name))) {
          throw new IllegalArgumentException(
              String.format(Locale.ROOT, "subject attribute %s twice", name));
        }
      }
      return types;
    }

    private static NameAttribute attribute(String name) {
      return NameAttribute.named(name)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      String.format(
                          Locale.ROOT,
                          "subject attribute %s is unknown; there are %s, their short names and OIDs",
                          name,
                          Arrays.stream(NameAttribute.values())
                              .map(a -> a.name().toLowerCase(Locale.ROOT))
                              .collect(Collectors.joining(", ")))));
    }
  }

  /** The settings of one attribute. */
  record AttributeSection(
      @Nullable String value,
      @Nullable Boolean replace,
      @JsonProperty("default") @Nullable String fallback,
      @Nullable String pattern) {

    AttributeRule rule(NameAttribute type) {
      try {
        return new AttributeRule(
            Optional.ofNullable(value).map(NameTemplate::of),
            isTrue(replace),
            Optional.ofNullable(fallback).map(NameTemplate::of),
            Optional.ofNullable(pattern).map(NamePattern::of));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "subject attribute %s: %s", type, e.getMessage()), e);
      }
    }
  }

  /** Which keys. */
  record KeySection(
      @Required Set<PublicKeyAlgorithm> algorithms,
      @Nullable Integer rsaBitsMin,
      @Nullable Integer rsaBitsMax) {

    KeyPolicy policy() {
      return new KeyPolicy(
          algorithms,
          rsaBitsMin == null ? KeyPolicy.RSA_BITS_MIN : rsaBitsMin,
          rsaBitsMax == null ? KeyPolicy.RSA_BITS_MAX : rsaBitsMax);
    }
  }

  /** Which extensions. */
  record ExtensionsSection(
      @Required Set<KeyUsage> keyUsage,
      @Nullable List<String> extendedKeyUsage,
      @Nullable Set<String> ignoreRequested,
      @Nullable Boolean ca,
      @Nullable Integer pathLen,
      @Required ExtensionPolicy.Revocation revocation,
      @Nullable List<AdditionsSection.PolicySection> policies,
      @Nullable NameSpaceSection nameConstraints,
      @Nullable Boolean ocspNoCheck,
      @Nullable List<AdditionsSection.OtherSection> other) {

    ExtensionPolicy policy() {
      return new ExtensionPolicy(
          keyUsage,
          purposes(),
          isTrue(ca),
          pathLen == null ? OptionalInt.empty() : OptionalInt.of(pathLen),
          revocation,
          AdditionsSection.additions(policies, nameConstraints, isTrue(ocspNoCheck), other),
          ignoreRequested == null ? Set.of() : ignoreRequested);
    }

    private Set<ExtendedKeyUsage> purposes() {
      Set<ExtendedKeyUsage> purposes = new HashSet<>();
      for (String text : extendedKeyUsage == null ? List.<String>of() : extendedKeyUsage) {
        purposes.add(
            ExtendedKeyUsage.named(text)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            String.format(
                                Locale.ROOT,
                                "extendedKeyUsage %s is unknown; name one of %s, or its OID",
                                text,
                                ExtendedKeyUsage.known().stream()
                                    .map(p -> p.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", "))))));
      }
      return purposes;
    }
  }

  /**
   * Returns the validated profile.
   *
   * @param digest over the file's content
   * @throws IllegalArgumentException that says what contradicts what
   */
  CertificateProfile validated(OctetString digest) {
    return new CertificateProfile(
        new ProfileName(name),
        description,
        use,
        new IssuerName(issuer),
        new CertificateProfile.Content(
            validity.policy(),
            subject.policy(),
            key.policy(),
            NamesSection.policy(subjectAltName),
            extensions.policy()),
        new ProfileVersion(version == null ? 1 : version, version != null, digest),
        lane == null ? Lane.INTERACTIVE : lane);
  }

  /** A flag that is left out is not set. */
  static boolean isTrue(@Nullable Boolean flag) {
    return flag != null && flag;
  }
}
