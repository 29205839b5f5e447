package org.sluiceca.api.cli.check;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.naming.GeneralNameText;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.plan.lint.Lints;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * A plan in words, read back from its bytes: what text and JSON both show.
 *
 * @param clampedFrom the notAfter that the profile wanted, if the issuer ends before it
 * @param overridden what the request asked for and the profile decided, in words
 * @param lints how many lints judged the bytes
 */
record PlanView(
    String subject,
    List<String> subjectAltNames,
    Instant notBefore,
    Instant notAfter,
    Optional<Instant> clampedFrom,
    String key,
    String signatureAlgorithm,
    List<ExtensionView> extensions,
    List<String> overridden,
    int lints) {

  /** One extension: its value in words where this CA knows them, else in hexadecimal. */
  record ExtensionView(String oid, String name, boolean critical, String value) {}

  static PlanView of(CheckResult.Planned planned) {
    IssuancePlan plan = planned.plan();
    try {
      TbsCertificate tbs = CertificateReader.read(plan.tbsCertificate());
      List<ExtensionView> extensions = new ArrayList<>();
      for (Extension extension : tbs.extensions()) {
        extensions.add(
            new ExtensionView(
                extension.oid(),
                ExtensionText.name(extension.oid()),
                extension.isCritical(),
                ExtensionText.value(extension)));
      }
      return new PlanView(
          NameText.of(tbs.subject()),
          names(tbs.extension(ExtensionOids.SUBJECT_ALT_NAME)),
          tbs.validity().notBefore(),
          tbs.validity().notAfter(),
          plan.departures().clamped().map(IssuancePlan.Clamped::wanted),
          keyText(tbs.subjectPublicKeyInfo()),
          plan.signatureAlgorithm().name(),
          extensions,
          overridden(planned),
          Lints.count());
    } catch (DerException e) {
      throw new IllegalStateException("a plan that cannot be read back: " + e.fault(), e);
    }
  }

  static List<String> names(Optional<Extension> subjectAltName) throws DerException {
    List<String> names = new ArrayList<>();
    if (subjectAltName.isPresent()) {
      for (GeneralName name : CsrReader.subjectAltNames(subjectAltName.get())) {
        names.add(
            name.getClass().getSimpleName().toLowerCase(Locale.ROOT)
                + ":"
                + GeneralNameText.of(name).orElse("?"));
      }
    }
    return names;
  }

  private static String keyText(SubjectPublicKeyInfo key) {
    return key.key() instanceof SubjectPublicKey.Rsa rsa
        ? String.format(Locale.ROOT, "RSA, %d bits", rsa.bits())
        : key.key().algorithm().name();
  }

  private static List<String> overridden(CheckResult.Planned planned) {
    return planned.plan().departures().overridden().stream()
        .map(
            oid ->
                NameAttribute.ofOid(oid)
                    .map(
                        attribute ->
                            String.format(
                                Locale.ROOT,
                                "subject %s (asked: %s)",
                                attribute.shortName(),
                                String.join(
                                    ", ", planned.request().csr().subject().values(attribute))))
                    .orElseGet(() -> "extension " + ExtensionText.name(oid)))
        .toList();
  }
}
