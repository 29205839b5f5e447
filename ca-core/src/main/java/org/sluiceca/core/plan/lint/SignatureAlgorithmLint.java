package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** The signature field names the algorithm with which the issuer signs. */
final class SignatureAlgorithmLint extends Lint {

  SignatureAlgorithmLint() {
    super("signature_algorithm", "RFC 5280 4.1.2.3", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    SignatureAlgorithm named = planned.tbs().signatureAlgorithm();
    SignatureAlgorithm expected = SignatureAlgorithm.ofIssuer(planned.issuer().key().key());
    return named == expected
        ? Optional.empty()
        : Optional.of("signature " + named + ", the issuer signs " + expected);
  }
}
