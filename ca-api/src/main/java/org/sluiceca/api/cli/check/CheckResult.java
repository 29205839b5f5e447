package org.sluiceca.api.cli.check;

import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.profile.CertificateProfile;

/** What a check came to. */
sealed interface CheckResult {

  /** The names of the steps of docs/ISSUANCE-CYCLE.md, by their numbers. */
  static String stepName(int step) {
    return switch (step) {
      case 2 -> "authorize";
      case 3 -> "verify";
      case 4 -> "plan";
      default -> throw new IllegalArgumentException("no step " + step);
    };
  }

  CertificateProfile profile();

  CheckIssuer issuer();

  /** It would be recorded and signed. */
  record Planned(
      CertificateProfile profile, CheckIssuer issuer, VerifiedCsr request, IssuancePlan plan)
      implements CheckResult {}

  /** It would be refused in a step. */
  record Refused(CertificateProfile profile, CheckIssuer issuer, int step, Rejection rejection)
      implements CheckResult {}
}
