package org.sluiceca.core.der;

import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraintValidatorException;
import org.bouncycastle.asn1.x509.PKIXNameConstraintValidator;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.NameSubtree;

/**
 * The library's judgement of names under name constraints (RFC 5280 6.1.3 (b), (c)): a second
 * opinion alongside {@code naming.NameSpaces}, with which it shares only the reading of
 * constraints.
 */
public final class NameConstraintValidation {

  private NameConstraintValidation() {}

  /**
   * Returns which constraint is broken, in words, or empty.
   *
   * @param subjectAltName the extension as it stands in the certificate
   */
  public static Optional<String> violation(
      NameConstraints constraints, NameDer subject, Optional<Extension> subjectAltName)
      throws DerException {
    PKIXNameConstraintValidator validator = new PKIXNameConstraintValidator();
    var encoded = NameConstraintCodec.write(withoutEveryDnsName(constraints));
    if (encoded.getPermittedSubtrees() != null) {
      validator.intersectPermittedSubtree(encoded.getPermittedSubtrees());
    }
    if (encoded.getExcludedSubtrees() != null) {
      for (GeneralSubtree subtree : encoded.getExcludedSubtrees()) {
        validator.addExcludedSubtree(subtree);
      }
    }
    return StrictDer.read(
        "name",
        subject.encoded(),
        name -> {
          X500Name directory = X500Name.getInstance(name);
          if (directory.size() > 0) {
            Optional<String> fault = fault(validator, new GeneralName(directory));
            if (fault.isPresent()) {
              return fault;
            }
          }
          return subjectAltName.isPresent()
              ? violation(validator, subjectAltName.get())
              : Optional.empty();
        });
  }

  /** A permitted dNSName of no text permits all; the library takes it to permit none. */
  private static NameConstraints withoutEveryDnsName(NameConstraints constraints) {
    if (!constraints.permitted().contains(new NameSubtree.Dns(""))) {
      return constraints;
    }
    return new NameConstraints(
        constraints.permitted().stream().filter(s -> !(s instanceof NameSubtree.Dns)).toList(),
        constraints.excluded());
  }

  private static Optional<String> violation(
      PKIXNameConstraintValidator validator, Extension subjectAltName) throws DerException {
    return StrictDer.read(
        "subjectAltName",
        subjectAltName.value(),
        value -> {
          for (GeneralName name :
              org.bouncycastle.asn1.x509.GeneralNames.getInstance(value).getNames()) {
            Optional<String> fault = fault(validator, name);
            if (fault.isPresent()) {
              return fault;
            }
          }
          return Optional.empty();
        });
  }

  private static Optional<String> fault(PKIXNameConstraintValidator validator, GeneralName name) {
    try {
      validator.checkPermitted(name);
      validator.checkExcluded(name);
      return Optional.empty();
    } catch (NameConstraintValidatorException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
