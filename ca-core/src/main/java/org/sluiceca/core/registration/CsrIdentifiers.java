package org.sluiceca.core.registration;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;

/** Whether a CSR asks for the names of its request, exactly those (RFC 8555 7.4). */
final class CsrIdentifiers {

  private static final String SUBJECT_ALT_NAME = "2.5.29.17";

  private CsrIdentifiers() {}

  /** Returns what is wrong with the names in the CSR; empty if they are the request's. */
  static Optional<Refusal> fault(CsrDer csr, List<Identifier> wanted) {
    try {
      CertificationRequest read = CsrReader.read(csr);
      Set<Identifier> found = new LinkedHashSet<>();
      for (Extension extension : read.extensions()) {
        if (extension.oid().equals(SUBJECT_ALT_NAME)) {
          for (GeneralName name : CsrReader.subjectAltNames(extension)) {
            Optional<Identifier> identifier = Identifier.of(name);
            if (identifier.isEmpty()) {
              return bad("the CSR asks for a name that is neither a DNS name nor an IP address");
            }
            found.add(identifier.get());
          }
        }
      }
      for (String commonName : read.subject().values(NameAttribute.COMMON_NAME)) {
        Optional<Identifier> identifier =
            Identifier.parse("dns", commonName).or(() -> Identifier.parse("ip", commonName));
        if (identifier.isEmpty() || !wanted.contains(identifier.get())) {
          return bad("the common name of the CSR must be one of the names of the order");
        }
        found.add(identifier.get());
      }
      return mismatch(found, wanted);
    } catch (DerException e) {
      return bad("the CSR cannot be read: " + e.fault());
    }
  }

  private static Optional<Refusal> mismatch(Set<Identifier> found, List<Identifier> wanted) {
    for (Identifier identifier : wanted) {
      if (!found.contains(identifier)) {
        return bad("the CSR lacks " + identifier.value() + ", a name of the order");
      }
    }
    return found.stream()
        .filter(identifier -> !wanted.contains(identifier))
        .findFirst()
        .flatMap(extra -> bad("the CSR asks for " + extra.value() + ", no name of the order"));
  }

  private static Optional<Refusal> bad(String detail) {
    return Optional.of(new Refusal(Refusal.Kind.BAD_CSR, detail));
  }
}
