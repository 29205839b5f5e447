package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.failure.RejectedException;

/** The public key is one that the profile certifies. */
final class PublicKeyLint extends Lint {

  PublicKeyLint() {
    super("public_key", "RFC 5280 4.1.2.7", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    try {
      planned.profile().content().key().check(planned.tbs().subjectPublicKeyInfo().key());
      return Optional.empty();
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    }
  }
}
