package org.sluiceca.api.validation;

import java.util.List;
import org.sluiceca.core.syntax.DnsNames;

/**
 * What dns-persist-01 compares a record with (draft-ietf-acme-dns-persist-02 3.1, 3.2).
 *
 * @param issuerDomainNames the names of this CA, one of which a record has to bear; A-labels in
 *     lower case without a dot at the end; none where the method is not offered
 * @param clearAccountUri whether the account's URL in clear is accepted next to its hash, which
 *     draft 02 no longer allows and clients of the earlier drafts publish
 * @param parents whether a record of a name above with {@code policy=wildcard} is accepted, too
 */
public record PersistTerms(
    List<String> issuerDomainNames, boolean clearAccountUri, boolean parents) {

  /** Section 3.1: servers send no more. */
  public static final int ISSUER_DOMAIN_NAMES_MAX = 10;

  /**
   * @throws IllegalArgumentException if a name is not normalised, or there are too many
   */
  public PersistTerms {
    issuerDomainNames = List.copyOf(issuerDomainNames);
    if (issuerDomainNames.size() > ISSUER_DOMAIN_NAMES_MAX) {
      throw new IllegalArgumentException(
          "more than " + ISSUER_DOMAIN_NAMES_MAX + " issuer domain names");
    }
    for (String name : issuerDomainNames) {
      if (!DnsNames.isHostName(name) || name.chars().anyMatch(c -> c >= 'A' && c <= 'Z')) {
        throw new IllegalArgumentException(
            "an issuer domain name is of A-labels in lower case, not " + name);
      }
    }
  }

  /** Returns the terms of an endpoint that does not offer dns-persist-01. */
  public static PersistTerms none() {
    return new PersistTerms(List.of(), false, false);
  }
}
