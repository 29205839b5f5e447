package org.sluiceca.core.plan.lint;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.x509.Extension;

/** Both key identifiers are there: the issuer's own, and that of the certified key. */
final class KeyIdentifierLint extends Lint {

  private static final int IDENTIFIER_OCTETS = 20;

  KeyIdentifierLint() {
    super("key_identifier", "RFC 5280 4.2.1.1, 4.2.1.2; RFC 7093 2", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    Optional<Extension> authority = planned.tbs().extension(ExtensionOids.AUTHORITY_KEY_IDENTIFIER);
    Optional<Extension> subject = planned.tbs().extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER);
    if (authority.isEmpty() || authority.get().isCritical()) {
      return Optional.of("authorityKeyIdentifier absent or critical");
    }
    if (subject.isEmpty() || subject.get().isCritical()) {
      return Optional.of("subjectKeyIdentifier absent or critical");
    }
    if (!authority
        .get()
        .equals(Extensions.authorityKeyIdentifier(planned.issuer().keyIdentifier().octets()))) {
      return Optional.of("authorityKeyIdentifier is not that of the issuer");
    }
    byte[] identifier =
        planned
            .raw()
            .extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER)
            .orElseThrow(() -> new MalformedException("subjectKeyIdentifier absent"))
            .value()
            .demand(DerElement.OCTET_STRING, "subjectKeyIdentifier")
            .contents();
    return Arrays.equals(identifier, identifierOf(planned.raw().subjectPublicKeyInfo()))
        ? Optional.empty()
        : Optional.of("subjectKeyIdentifier is not that of the key");
  }

  /** RFC 7093 2, method 1: the leftmost 160 bits of the SHA-256 hash of the BIT STRING's value. */
  private static byte[] identifierOf(DerElement subjectPublicKeyInfo) throws MalformedException {
    byte[] bits =
        subjectPublicKeyInfo
            .children()
            .getLast()
            .demand(DerElement.BIT_STRING, "subjectPublicKey")
            .contents();
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      hash.update(bits, 1, bits.length - 1); // Behind the number of unused bits.
      return Arrays.copyOf(hash.digest(), IDENTIFIER_OCTETS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
