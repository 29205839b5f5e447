package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.failure.RejectedException;

/** The public key is one that the profile certifies. */
final class PublicKeyLint implements Lint {

  @Override
  public String name() {
    return "public_key";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.1.2.7";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    try {
      planned.profile().content().key().check(planned.tbs().subjectPublicKeyInfo().key());
      return Optional.empty();
    } catch (RejectedException e) {
      return Optional.of(e.rejection().detail());
    }
  }
}
