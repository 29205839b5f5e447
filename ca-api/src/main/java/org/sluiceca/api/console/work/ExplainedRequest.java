package org.sluiceca.api.console.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.console.ConsoleTime;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.enroll.Preview;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OidNames;

/**
 * A certification request for people, and what it would become under a profile.
 *
 * @param asked what stands in the request
 * @param planned the certificate that it would become; null if it would be refused
 * @param departures where the certificate is not what was asked, each as a sentence
 * @param refusal why it would be refused; empty if it would not
 */
record ExplainedRequest(
    Asked asked, @Nullable DecodedCertificate planned, List<String> departures, String refusal) {

  ExplainedRequest {
    departures = List.copyOf(departures);
  }

  /** What stands in a request. */
  record Asked(String subject, List<String> names, String key, List<ExtensionText> extensions) {}

  /**
   * Decodes a request.
   *
   * @throws ProblemException if it cannot be read
   */
  static Asked asked(CsrDer encoded) {
    try {
      CertificationRequest csr = CsrReader.read(encoded);
      List<ExtensionText> extensions = DecodedCertificate.extensions(csr.extensions());
      List<String> names =
          csr.extensions().stream()
              .filter(e -> e.oid().equals(ExtensionOids.SUBJECT_ALT_NAME))
              .map(ExtensionText::of)
              .flatMap(e -> e.lines().stream())
              .toList();
      return new Asked(
          csr.subject().isEmpty() ? "(none)" : csr.subject().toString(),
          names,
          DecodedCertificate.key(csr.subjectPublicKeyInfo()),
          extensions);
    } catch (DerException e) {
      throw new ProblemException(ProblemType.MALFORMED_CSR, e.fault());
    }
  }

  static ExplainedRequest of(Asked asked, Preview.Result result) {
    return switch (result) {
      case Preview.Result.Refused(Rejection rejection) ->
          new ExplainedRequest(asked, null, List.of(), rejection.detail());
      case Preview.Result.Planned(IssuancePlan plan) ->
          new ExplainedRequest(
              asked,
              DecodedCertificate.of(plan.tbsCertificate()),
              departures(plan.departures()),
              "");
    };
  }

  private static List<String> departures(IssuancePlan.Departures departures) {
    List<String> sentences =
        new ArrayList<>(
            departures.overridden().stream()
                .map(oid -> "The profile decides about " + OidNames.shown(oid) + ".")
                .toList());
    departures
        .clamped()
        .ifPresent(
            clamped ->
                sentences.add(
                    String.format(
                        Locale.ROOT,
                        "It ends with its issuer, %s, before the profile's own end %s.",
                        ConsoleTime.text(clamped.notAfter()),
                        ConsoleTime.text(clamped.wanted()))));
    return sentences;
  }
}
