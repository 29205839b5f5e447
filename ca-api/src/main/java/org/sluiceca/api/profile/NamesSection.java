package org.sluiceca.api.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.profile.NameRules;
import org.sluiceca.core.profile.SanPolicy;
import org.sluiceca.core.profile.SanPolicy.Form;

/** The part of a profile file about alternative names; without it there are none. */
record NamesSection(
    @Required Set<Form> forms,
    @Required int countMax,
    @Nullable Boolean required,
    @Nullable Boolean wildcards,
    @Nullable Boolean commonNameAsDns,
    NameSpaceSection.@Nullable FormsSection permitted,
    NameSpaceSection.@Nullable FormsSection excluded,
    @Nullable Map<Form, String> patterns,
    @Nullable Map<Form, Integer> countMaxOf,
    @Nullable Set<String> uriSchemes,
    @Nullable List<String> add,
    @Nullable Boolean fromRequest) {

  static SanPolicy policy(@Nullable NamesSection section) {
    return section == null ? new SanPolicy(Set.of(), false, 0, false, false) : section.policy();
  }

  private SanPolicy policy() {
    return new SanPolicy(
        forms,
        ProfileFile.isTrue(required),
        countMax,
        ProfileFile.isTrue(wildcards),
        ProfileFile.isTrue(commonNameAsDns),
        new NameRules(
            new NameSpaceSection(permitted, excluded).constraints("subjectAltName"),
            patterns == null
                ? Map.of()
                : patterns.entrySet().stream()
                    .collect(
                        Collectors.toMap(Map.Entry::getKey, e -> NamePattern.of(e.getValue()))),
            countMaxOf == null ? Map.of() : countMaxOf,
            uriSchemes == null ? Set.of() : uriSchemes,
            added(),
            fromRequest == null || fromRequest));
  }

  /** Each is a form, a colon and a template. */
  private List<NameRules.Added> added() {
    List<NameRules.Added> added = new ArrayList<>();
    for (String text : add == null ? List.<String>of() : add) {
      int colon = text.indexOf(':');
      Form form = null;
      for (Form candidate : Form.values()) {
        if (colon > 0
            && candidate.name().toLowerCase(Locale.ROOT).equals(text.substring(0, colon))) {
          form = candidate;
        }
      }
      if (form == null) {
        throw new IllegalArgumentException(
            "subjectAltName add: begin with dns:, ip:, email: or uri:, not " + text);
      }
      added.add(new NameRules.Added(form, NameTemplate.of(text.substring(colon + 1))));
    }
    return added;
  }
}
