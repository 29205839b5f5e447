package org.sluiceca.core.plan;

import java.util.List;
import java.util.Locale;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.NameForm;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NameComparison;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;

/**
 * What makes a certificate another's renewal: the same subject and the same subjectAltNames in any
 * order, both compared as RFC 5280 7.1 and 7.2 say. Without this rule a requester with one
 * certificate could get any other in the renewal lane.
 */
final class SameNames {

  private SameNames() {}

  /**
   * Refuses names that are not those of {@code replaced}.
   *
   * @param replaced a certificate of this CA
   */
  static void require(CertificateDer replaced, DistinguishedName subject, List<GeneralName> names)
      throws RejectedException {
    try {
      TbsCertificate old = CertificateReader.read(replaced).fields();
      List<GeneralName> oldNames = List.of();
      for (Extension extension : old.extension(ExtensionOids.SUBJECT_ALT_NAME).stream().toList()) {
        oldNames = CsrReader.subjectAltNames(extension);
      }
      if (!NameForm.of(old.subject()).equals(NameForm.of(NameCodec.write(subject)))) {
        throw differs("subject");
      }
      if (!NameComparison.areSame(oldNames, names)) {
        throw differs("subjectAltName");
      }
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own certificate does not parse", e);
    }
  }

  private static RejectedException differs(String what) {
    return new RejectedException(
        Reason.NAME_NOT_ALLOWED,
        String.format(
            Locale.ROOT,
            "a renewal has the names of the certificate that it replaces; the %s differs",
            what));
  }
}
