package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;

/** Each alternative name follows the syntax of its form, as parsed again from the bytes. */
final class SubjectAltNameSyntaxLint extends Lint {

  SubjectAltNameSyntaxLint() {
    super(
        "subject_alt_name_syntax",
        "RFC 5280 4.2.1.6; RFC 9549 2; RFC 9598 3",
        LocalDate.of(2024, 5, 1));
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    Optional<RawExtension> extension = planned.raw().extension(ExtensionOids.SUBJECT_ALT_NAME);
    if (extension.isEmpty()) {
      return Optional.empty();
    }
    List<DerElement> names =
        extension.get().value().demand(DerElement.SEQUENCE, "subjectAltName").children();
    if (names.isEmpty()) {
      return Optional.of("subjectAltName without a name");
    }
    for (DerElement name : names) {
      Optional<String> fault = NameSyntax.fault(name);
      if (fault.isPresent()) {
        return fault;
      }
    }
    return Optional.empty();
  }
}
