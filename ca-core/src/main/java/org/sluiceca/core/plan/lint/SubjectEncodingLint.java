package org.sluiceca.core.plan.lint;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Each relative name has one attribute, of a known type, its string type and its length. */
final class SubjectEncodingLint extends Lint {

  private enum Type {
    PRINTABLE,
    IA5,
    ANY
  }

  /** What appendix A.1 and X.520 allow of one attribute type: ub-common-name and its like. */
  private record Bound(Type type, int least, int most) {}

  private static final Map<String, Bound> BOUNDS =
      Map.ofEntries(
          Map.entry("2.5.4.3", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.4", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.5", new Bound(Type.PRINTABLE, 1, 64)),
          Map.entry("2.5.4.6", new Bound(Type.PRINTABLE, 2, 2)),
          Map.entry("2.5.4.7", new Bound(Type.ANY, 1, 128)),
          Map.entry("2.5.4.8", new Bound(Type.ANY, 1, 128)),
          Map.entry("2.5.4.9", new Bound(Type.ANY, 1, 128)),
          Map.entry("2.5.4.10", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.11", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.12", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.15", new Bound(Type.ANY, 1, 128)),
          Map.entry("2.5.4.17", new Bound(Type.ANY, 1, 40)),
          Map.entry("2.5.4.42", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.43", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.44", new Bound(Type.ANY, 1, 64)),
          Map.entry("2.5.4.46", new Bound(Type.PRINTABLE, 1, 64)),
          Map.entry("2.5.4.65", new Bound(Type.ANY, 1, 128)),
          Map.entry("2.5.4.97", new Bound(Type.ANY, 1, 256)),
          Map.entry("0.9.2342.19200300.100.1.1", new Bound(Type.ANY, 1, 256)),
          Map.entry("0.9.2342.19200300.100.1.25", new Bound(Type.IA5, 1, 63)),
          Map.entry("1.2.840.113549.1.9.1", new Bound(Type.IA5, 1, 255)));

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
    boolean isOfType =
        switch (bound.type) {
          case PRINTABLE -> value.is(DerElement.PRINTABLE_STRING);
          case IA5 -> value.is(DerElement.IA5_STRING);
          case ANY -> value.is(DerElement.PRINTABLE_STRING) || value.is(DerElement.UTF8_STRING);
        };
    if (!isOfType) {
      return Optional.of(
          String.format(Locale.ROOT, "attribute %s of string type %02x", oid, value.tag()));
    }
    String text = value.utf8("attribute " + oid);
    if (value.is(DerElement.PRINTABLE_STRING)
        && !text.chars().allMatch(c -> isPrintable((char) c))) {
      return Optional.of("attribute " + oid + " is no PrintableString");
    }
    if (value.is(DerElement.IA5_STRING) && text.chars().anyMatch(c -> c > 0x7F)) {
      return Optional.of("attribute " + oid + " is no IA5String");
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
