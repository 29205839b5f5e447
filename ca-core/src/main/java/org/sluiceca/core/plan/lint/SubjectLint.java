package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.x509.Extension;

/** Somebody is named, and subjectAltName is critical exactly when the subject is empty. */
final class SubjectLint implements Lint {

  @Override
  public String name() {
    return "subject";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.1.2.6, 4.2.1.6";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) throws DerException {
    boolean isEmpty = NameCodec.read(planned.tbs().subject()).isEmpty();
    Optional<Extension> names = planned.tbs().extension(ExtensionOids.SUBJECT_ALT_NAME);
    if (isEmpty && names.isEmpty()) {
      return Optional.of("neither subject nor subjectAltName");
    }
    if (names.isPresent() && names.get().isCritical() != isEmpty) {
      return Optional.of("subjectAltName critical if and only if the subject is empty");
    }
    return Optional.empty();
  }
}
