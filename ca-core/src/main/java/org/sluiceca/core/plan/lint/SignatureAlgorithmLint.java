package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** The signature field names the algorithm with which the issuer signs. */
final class SignatureAlgorithmLint implements Lint {

  @Override
  public String name() {
    return "signature_algorithm";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.1.2.3";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    SignatureAlgorithm named = planned.tbs().signatureAlgorithm();
    SignatureAlgorithm expected = SignatureAlgorithm.ofIssuer(planned.issuer().key().key());
    return named == expected
        ? Optional.empty()
        : Optional.of("signature " + named + ", the issuer signs " + expected);
  }
}
