package org.sluiceca.api.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.IpRange;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;

/** Permitted and excluded names, as RFC 5280 4.2.1.10 means them. */
record NameSpaceSection(@Nullable FormsSection permitted, @Nullable FormsSection excluded) {

  /** The bases of one side, by form. */
  record FormsSection(
      @Nullable List<String> dns,
      @Nullable List<String> ip,
      @Nullable List<String> email,
      @Nullable List<String> uri,
      @Nullable List<String> directory) {

    private List<NameSubtree> subtrees() {
      List<NameSubtree> subtrees = new ArrayList<>();
      add(subtrees, dns, NameSubtree.Dns::new);
      add(subtrees, ip, text -> new NameSubtree.Ip(IpRange.parse(text)));
      add(subtrees, email, NameSubtree.Email::new);
      add(subtrees, uri, NameSubtree.Uri::new);
      add(subtrees, directory, text -> new NameSubtree.Directory(directoryName(text)));
      return subtrees;
    }

    private static void add(
        List<NameSubtree> subtrees,
        @Nullable List<String> texts,
        Function<String, NameSubtree> reader) {
      if (texts != null) {
        texts.forEach(text -> subtrees.add(reader.apply(text)));
      }
    }

    /** {@code C=CH, O=Example}: the short names of attributes, without commas in values. */
    private static DistinguishedName directoryName(String text) {
      List<Attribute> attributes = new ArrayList<>();
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        NameAttribute type =
            equals < 1 ? null : NameAttribute.named(part.substring(0, equals).strip()).orElse(null);
        String value = part.substring(equals + 1).strip();
        if (type == null || value.isEmpty()) {
          throw new IllegalArgumentException("not a directory name: " + text);
        }
        attributes.add(new Attribute(type, value));
      }
      return new DistinguishedName(attributes);
    }
  }

  /** Returns the constraints; {@code where} names the section in a fault. */
  NameConstraints constraints(String where) {
    try {
      return new NameConstraints(
          permitted == null ? List.of() : permitted.subtrees(),
          excluded == null ? List.of() : excluded.subtrees());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
    }
  }
}
