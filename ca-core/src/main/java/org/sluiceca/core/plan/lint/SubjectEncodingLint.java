package org.sluiceca.core.plan.lint;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Each relative name has one attribute, of a known type, its string type and its length. */
final class SubjectEncodingLint extends Lint {

  /** What appendix A.1 allows of one attribute type: ub-common-name and its like. */
  private record Bound(boolean printableOnly, int least, int most) {}

  private static final Map<String, Bound> BOUNDS =
      Map.of(
          "2.5.4.3", new Bound(false, 1, 64),
          "2.5.4.5", new Bound(true, 1, 64),
          "2.5.4.6", new Bound(true, 2, 2),
          "2.5.4.7", new Bound(false, 1, 128),
          "2.5.4.8", new Bound(false, 1, 128),
          "2.5.4.10", new Bound(false, 1, 64),
          "2.5.4.11", new Bound(false, 1, 64));

  SubjectEncodingLint() {
    super("subject_encoding", "RFC 5280 4.1.2.4, 4.1.2.6, A.1", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    for (DerElement relative : planned.raw().subject().children()) {
      DerElement attribute =
          relative
              .demand(DerElement.SET, "a relative name")
              .only(DerElement.SEQUENCE, "a relative name");
      List<DerElement> parts = attribute.children();
      if (parts.size() != 2) {
        return Optional.of(String.format(Locale.ROOT, "an attribute of %d parts", parts.size()));
      }
      Optional<String> fault = fault(parts.get(0).oid(), parts.get(1));
      if (fault.isPresent()) {
        return fault;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> fault(String oid, DerElement value) throws MalformedException {
    Bound bound = BOUNDS.get(oid);
    if (bound == null) {
      return Optional.of("attribute " + oid + " is not one of this CA's");
    }
    if (!value.is(DerElement.PRINTABLE_STRING)
        && (bound.printableOnly || !value.is(DerElement.UTF8_STRING))) {
      return Optional.of(
          String.format(Locale.ROOT, "attribute %s of string type %02x", oid, value.tag()));
    }
    String text = value.utf8("attribute " + oid);
    if (value.is(DerElement.PRINTABLE_STRING)
        && !text.chars().allMatch(c -> isPrintable((char) c))) {
      return Optional.of("attribute " + oid + " is no PrintableString");
    }
    int length = text.codePointCount(0, text.length());
    if (length < bound.least || length > bound.most) {
      return Optional.of(String.format(Locale.ROOT, "attribute %s of %d characters", oid, length));
    }
    return text.codePoints().anyMatch(Character::isISOControl)
        ? Optional.of("attribute " + oid + " with a control character")
        : Optional.empty();
  }

  /** X.680 41.4, table 10. */
  private static boolean isPrintable(char c) {
    return switch (c) {
      case ' ', '\'', '(', ')', '+', ',', '-', '.', '/', ':', '=', '?' -> true;
      default -> (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
  }
}
