package org.sluiceca.core.x509;

import java.util.List;
import java.util.OptionalInt;

/**
 * What the certificates above a new one allow it (RFC 5280 6.1): those of the issuer, its issuer
 * and so on.
 *
 * @param pathLen how many CA certificates may follow the issuer's; empty for any number
 * @param names the name constraints of each certificate that has some; all must be kept
 */
public record IssuerConstraints(OptionalInt pathLen, List<NameConstraints> names) {

  /** Whatever the profile says: of a trust anchor. */
  public static final IssuerConstraints NONE =
      new IssuerConstraints(OptionalInt.empty(), List.of());

  public IssuerConstraints {
    names = List.copyOf(names);
  }
}
