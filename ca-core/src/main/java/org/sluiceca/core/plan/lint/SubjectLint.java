package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.NameForm;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.Extension;

/**
 * The certificate names a subject as the profile allows, an end entity does not have its issuer's
 * name, and subjectAltName is critical exactly when the subject is empty.
 */
final class SubjectLint extends Lint {

  SubjectLint() {
    super("subject", "RFC 5280 4.1.2.6, 4.2.1.6, 6.1", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    DistinguishedName subject = planned.subject();
    try {
      planned.profile().content().subject().check(subject);
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    }
    // RFC 5280 6.1: what has its issuer's name is self-issued, which pathLen does not count.
    if (!planned.profile().content().extensions().isCa()
        && NameForm.of(planned.tbs().subject()).equals(NameForm.of(planned.issuer().subject()))) {
      return Optional.of("an end entity has its issuer's name");
    }
    boolean isEmpty = subject.isEmpty();
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
