package org.sluiceca.core.profile;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NameComparison;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameSpaces;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.profile.SanPolicy.Form;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IpLiteral;
import org.sluiceca.core.x509.NameConstraints;

/**
 * Which of the names that {@link SanPolicy} takes for well formed a profile allows, and which it
 * adds.
 *
 * @param space the permitted and excluded names
 * @param patterns what every name of a form must match; DNS names in lower case
 * @param counts the most names of a form, where fewer than of all together
 * @param uriSchemes the allowed schemes in lower case; empty for any
 * @param added names of the profile's own, in addition to those of the request
 * @param fromRequest whether a request may ask for other names than those
 */
public record NameRules(
    NameConstraints space,
    Map<Form, NamePattern> patterns,
    Map<Form, Integer> counts,
    Set<String> uriSchemes,
    List<Added> added,
    boolean fromRequest) {

  /** No further rule. */
  public static final NameRules NONE =
      new NameRules(NameConstraints.NONE, Map.of(), Map.of(), Set.of(), List.of(), true);

  /** A name that the profile makes. */
  public record Added(Form form, NameTemplate template) {

    GeneralName name(RequestFacts facts) throws RejectedException {
      String text = template.expandName(facts);
      return switch (form) {
        case DNS -> new GeneralName.Dns(text);
        case EMAIL -> new GeneralName.Email(text);
        case URI -> new GeneralName.Uri(text);
        case IP ->
            new GeneralName.Ip(
                IpLiteral.parse(text)
                    .orElseThrow(() -> refused("not an IP address: the profile's " + template)));
      };
    }
  }

  public NameRules {
    patterns = Map.copyOf(patterns);
    counts = Map.copyOf(counts);
    uriSchemes = Set.copyOf(uriSchemes);
    added = List.copyOf(added);
    if (!uriSchemes.stream().allMatch(s -> s.matches("[a-z][a-z0-9+.-]{1,31}"))) {
      throw new IllegalArgumentException("not URI schemes in lower case: " + uriSchemes);
    }
    if (!fromRequest && added.isEmpty()) {
      throw new IllegalArgumentException("no name from the request, and none is added");
    }
    for (Map.Entry<Form, Integer> count : counts.entrySet()) {
      if (count.getValue() < 1 || count.getValue() > SanPolicy.COUNT_LIMIT) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "at most %d names of form %s, allowed 1 to %d",
                count.getValue(),
                count.getKey(),
                SanPolicy.COUNT_LIMIT));
      }
    }
  }

  /** Returns the names to certify, not yet checked: the requested ones, then the profile's own. */
  List<GeneralName> names(List<GeneralName> requested, RequestFacts facts)
      throws RejectedException {
    if (added.isEmpty()) {
      return requested;
    }
    List<GeneralName> own = new ArrayList<>();
    for (Added one : added) {
      own.add(one.name(facts));
    }
    Set<String> keys = own.stream().map(NameComparison::key).collect(Collectors.toSet());
    List<GeneralName> names = new ArrayList<>();
    for (GeneralName name : requested) {
      if (!keys.contains(NameComparison.key(name))) {
        if (!fromRequest) {
          throw refused("the profile alone makes subjectAltNames; the request asks for others");
        }
        names.add(name);
      }
    }
    names.addAll(own);
    return names;
  }

  /**
   * Checks names that are well formed and of allowed forms, and the mail addresses of the subject
   * (RFC 5280 4.2.1.10).
   */
  void check(List<GeneralName> names, DistinguishedName subject) throws RejectedException {
    Map<Form, Integer> seen = new EnumMap<>(Form.class);
    for (GeneralName name : names) {
      Form form = SanPolicy.formOf(name);
      int count = seen.merge(form, 1, Integer::sum);
      if (counts.containsKey(form) && count > counts.get(form)) {
        throw refused(
            String.format(
                Locale.ROOT, "more than %d subjectAltNames of form %s", counts.get(form), form));
      }
      NamePattern pattern = patterns.get(form);
      if (pattern != null && !pattern.matches(matched(name))) {
        throw refused(
            String.format(
                Locale.ROOT,
                "a subjectAltName of form %s does not match the profile's pattern",
                form));
      }
      if (name instanceof GeneralName.Uri(String uri)
          && !uriSchemes.isEmpty()
          && !uriSchemes.contains(
              uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT))) {
        throw refused("a URI's scheme is not one of " + uriSchemes.stream().sorted().toList());
      }
    }
    Optional<String> outside = NameSpaces.outside(space, names, subject);
    if (outside.isPresent()) {
      throw refused(outside.get());
    }
  }

  /** What a pattern is held against: hosts and domains in lower case, URIs as they are. */
  private static String matched(GeneralName name) {
    return name instanceof GeneralName.Uri(String uri)
        ? uri
        : NameComparison.key(name).substring(1);
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.NAME_NOT_ALLOWED, detail);
  }
}
