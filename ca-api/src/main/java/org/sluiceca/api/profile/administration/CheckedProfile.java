package org.sluiceca.api.profile.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.AttributeRule;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.profile.NameRules;
import org.sluiceca.core.profile.SanPolicy;
import org.sluiceca.core.profile.SubjectPolicy;
import org.sluiceca.core.profile.ValidityPolicy;
import org.sluiceca.core.profile.ValidityPolicy.Term;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * The JSON form of a profile file that could be stored: what it allows, in the words that the file
 * itself uses, with the defaults of what it leaves out.
 *
 * @param digest over the content, as in {@code GET /v1/profiles}
 * @param sha256 over the file's octets
 * @param stored whether the very same file is stored already
 * @param subjectAltName absent where a certificate has no alternative names
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CheckedProfile(
    String name,
    int version,
    String digest,
    String sha256,
    boolean stored,
    String description,
    String use,
    String lane,
    String issuer,
    ValidityBody validity,
    KeyBody key,
    List<AttributeBody> subject,
    @Nullable NamesBody subjectAltName,
    ExtensionsBody extensions) {

  /**
   * How long, by one of the first two.
   *
   * @param backdate absent where {@code sluice.clock-skew} decides
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ValidityBody(
      @Nullable String duration,
      @Nullable String notAfter,
      @Nullable String backdate,
      boolean clampToIssuer) {

    static ValidityBody of(ValidityPolicy policy) {
      return new ValidityBody(
          policy.term() instanceof Term.Lasting(Duration duration) ? duration.toString() : null,
          policy.term() instanceof Term.Until(Instant notAfter) ? notAfter.toString() : null,
          policy.backdate().map(Duration::toString).orElse(null),
          policy.clampToIssuer());
    }
  }

  /** Which keys; the sizes are absent where RSA is not allowed. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record KeyBody(
      List<String> algorithms, @Nullable Integer rsaBitsMin, @Nullable Integer rsaBitsMax) {

    static KeyBody of(KeyPolicy policy) {
      boolean rsa = policy.algorithms().contains(PublicKeyAlgorithm.RSA);
      return new KeyBody(
          words(policy.algorithms()),
          rsa ? policy.rsaBitsMin() : null,
          rsa ? policy.rsaBitsMax() : null);
    }
  }

  /**
   * One attribute that a subject may have; every other one is refused.
   *
   * @param presence required, optional, or fixed: of the profile's own
   * @param replace whether the profile's value takes the place of another one in the request
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AttributeBody(
      String attribute,
      String presence,
      @Nullable String value,
      @Nullable Boolean replace,
      @JsonProperty("default") @Nullable String fallback,
      @Nullable String pattern) {

    static List<AttributeBody> of(SubjectPolicy policy) {
      Set<NameAttribute> allowed = EnumSet.noneOf(NameAttribute.class);
      allowed.addAll(policy.required());
      allowed.addAll(policy.optional());
      allowed.addAll(policy.rules().keySet());
      return allowed.stream().map(type -> of(policy, type)).toList();
    }

    private static AttributeBody of(SubjectPolicy policy, NameAttribute type) {
      @Nullable AttributeRule rule = policy.rules().get(type);
      String presence =
          policy.required().contains(type)
              ? "required"
              : policy.optional().contains(type) ? "optional" : "fixed";
      if (rule == null) {
        return new AttributeBody(word(type), presence, null, null, null, null);
      }
      return new AttributeBody(
          word(type),
          presence,
          rule.value().map(NameTemplate::toString).orElse(null),
          rule.value().isPresent() ? rule.replaces() : null,
          rule.fallback().map(NameTemplate::toString).orElse(null),
          rule.pattern().map(NamePattern::toString).orElse(null));
    }
  }

  /**
   * Which alternative names. Members of single forms, and lists, are absent where the profile says
   * nothing.
   *
   * @param permitted each a form, a colon and an entry of docs/PROFILES.md
   * @param add each a form, a colon and a template
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record NamesBody(
      List<String> forms,
      int countMax,
      boolean required,
      boolean wildcards,
      boolean commonNameAsDns,
      boolean fromRequest,
      Map<String, Integer> countMaxOf,
      List<String> permitted,
      List<String> excluded,
      Map<String, String> patterns,
      List<String> uriSchemes,
      List<String> add) {

    static @Nullable NamesBody of(SanPolicy policy) {
      if (policy.forms().isEmpty()) {
        return null;
      }
      NameRules rules = policy.rules();
      Map<String, Integer> counts = new TreeMap<>();
      rules.counts().forEach((form, count) -> counts.put(word(form), count));
      Map<String, String> patterns = new TreeMap<>();
      rules.patterns().forEach((form, pattern) -> patterns.put(word(form), pattern.toString()));
      return new NamesBody(
          words(policy.forms()),
          policy.countMax(),
          policy.isRequired(),
          policy.wildcards(),
          policy.commonNameAsDns(),
          rules.fromRequest(),
          counts,
          space(rules.space().permitted()),
          space(rules.space().excluded()),
          patterns,
          rules.uriSchemes().stream().sorted().toList(),
          rules.added().stream().map(a -> word(a.form()) + ":" + a.template()).toList());
    }

    private static List<String> space(List<NameSubtree> subtrees) {
      return subtrees.stream().map(NamesBody::text).toList();
    }

    private static String text(NameSubtree subtree) {
      return switch (subtree) {
        case NameSubtree.Dns(String domain) -> "dns:" + domain;
        case NameSubtree.Ip ip -> "ip:" + ip.range();
        case NameSubtree.Email(String mailboxes) -> "email:" + mailboxes;
        case NameSubtree.Uri(String host) -> "uri:" + host;
        case NameSubtree.Directory(var base) ->
            base.attributes().stream()
                .map(a -> a.type().shortName() + "=" + a.value())
                .collect(Collectors.joining(", ", "directory:", ""));
      };
    }
  }

  /**
   * Which extensions, beyond those that this CA sets by itself.
   *
   * @param policies OIDs
   * @param ignoreRequested OIDs that a request may ask for in vain; any other one refuses it
   */
  record ExtensionsBody(
      List<String> keyUsage,
      List<String> extendedKeyUsage,
      String revocation,
      List<String> policies,
      List<OtherBody> other,
      List<String> ignoreRequested) {

    static ExtensionsBody of(ExtensionPolicy policy) {
      return new ExtensionsBody(
          words(policy.keyUsage()),
          policy.extendedKeyUsage().stream()
              .map(ExtendedKeyUsage::name)
              .map(name -> name.toLowerCase(Locale.ROOT))
              .sorted()
              .toList(),
          word(policy.revocation()),
          policy.additions().policies().stream().map(CertificatePolicy::oid).toList(),
          policy.additions().others().stream().map(OtherBody::of).toList(),
          policy.ignoredRequests().stream().sorted().toList());
    }
  }

  /** An extension by its OID: a text with variables, or constant DER. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record OtherBody(String oid, boolean critical, @Nullable String text, @Nullable String derHex) {

    static OtherBody of(AddedExtension extension) {
      return switch (extension.value()) {
        case AddedExtension.Value.Text text ->
            new OtherBody(
                extension.oid(), extension.isCritical(), text.template().toString(), null);
        case AddedExtension.Value.Constant constant ->
            new OtherBody(
                extension.oid(),
                extension.isCritical(),
                null,
                HexFormat.of().formatHex(constant.extension().value()));
      };
    }
  }

  static CheckedProfile of(ProfileAnswer.Sound sound, byte[] file) {
    CertificateProfile profile = sound.profile();
    CertificateProfile.Content content = profile.content();
    return new CheckedProfile(
        profile.name().value(),
        profile.version().number(),
        profile.version().digest().toString(),
        Digest.sha256(file).toString(),
        sound.isStored(),
        profile.description(),
        word(profile.use()),
        word(profile.lane()),
        profile.issuer().value(),
        ValidityBody.of(content.validity()),
        KeyBody.of(content.key()),
        AttributeBody.of(content.subject()),
        NamesBody.of(content.subjectAltName()),
        ExtensionsBody.of(content.extensions()));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> words(Collection<? extends Enum<?>> constants) {
    return constants.stream().map(CheckedProfile::word).sorted().toList();
  }
}
