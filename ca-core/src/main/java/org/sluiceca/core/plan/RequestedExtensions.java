package org.sluiceca.core.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.OidNames;

/**
 * What a CSR's extensionRequest asks for, held against the profile.
 *
 * <p>subjectAltName is taken over, for the SAN policy to judge. keyUsage, extendedKeyUsage,
 * basicConstraints and subjectKeyIdentifier are decided by the profile: a wish for power that it
 * does not give is refused (cA, keyCertSign, cRLSign, a foreign key purpose), any other wish is
 * overridden and reported. An extension that the profile ignores is dropped unread and reported.
 * Every other extension is refused, critical or not.
 *
 * @param overridden OIDs of requested extensions that the profile decided
 */
record RequestedExtensions(List<GeneralName> subjectAltNames, List<String> overridden) {

  static RequestedExtensions read(List<Extension> requested, ExtensionPolicy policy)
      throws RejectedException {
    List<GeneralName> names = List.of();
    List<String> overridden = new ArrayList<>();
    for (Extension extension : requested) {
      if (policy.ignoredRequests().contains(extension.oid())) {
        overridden.add(extension.oid());
        continue;
      }
      try {
        switch (extension.oid()) {
          case ExtensionOids.SUBJECT_ALT_NAME -> names = CsrReader.subjectAltNames(extension);
          case ExtensionOids.BASIC_CONSTRAINTS -> {
            if (ExtensionReader.isCaRequested(extension) && !policy.isCa()) {
              throw refused("the profile issues no CA certificates");
            }
            overridden.add(extension.oid());
          }
          case ExtensionOids.KEY_USAGE -> {
            checkKeyUsage(ExtensionReader.requestedKeyUsage(extension), policy);
            overridden.add(extension.oid());
          }
          case ExtensionOids.EXTENDED_KEY_USAGE -> {
            checkPurposes(ExtensionReader.requestedPurposes(extension), policy);
            overridden.add(extension.oid());
          }
          case ExtensionOids.SUBJECT_KEY_IDENTIFIER -> overridden.add(extension.oid());
          default ->
              throw refused(
                  String.format(
                      Locale.ROOT,
                      "requested extension %s is not allowed: leave it out, or have the profile drop"
                          + " it (ignoreRequested)",
                      OidNames.shown(extension.oid())));
        }
      } catch (DerException e) {
        throw RejectedException.of(e);
      }
    }
    return new RequestedExtensions(names, overridden);
  }

  private static void checkKeyUsage(Set<KeyUsage> requested, ExtensionPolicy policy)
      throws RejectedException {
    for (KeyUsage power : List.of(KeyUsage.KEY_CERT_SIGN, KeyUsage.CRL_SIGN)) {
      if (requested.contains(power) && !policy.keyUsage().contains(power)) {
        throw refused("the profile does not give keyUsage " + power.standardName());
      }
    }
  }

  private static void checkPurposes(Set<String> requested, ExtensionPolicy policy)
      throws RejectedException {
    List<String> given = policy.extendedKeyUsage().stream().map(ExtendedKeyUsage::oid).toList();
    for (String oid : requested) {
      if (!given.contains(oid)) {
        throw refused("the profile does not give the key purpose " + OidNames.shown(oid));
      }
    }
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.PROFILE_VIOLATION, detail);
  }
}
