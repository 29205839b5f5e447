package org.sluiceca.core.wire.jws;

import java.util.Arrays;
import java.util.Optional;
import org.sluiceca.core.verify.Hmac;

/** The MACs with which an external account binding is made (RFC 8555 7.3.4, RFC 7518 3.2). */
public enum MacAlgorithm {
  HS256(Hmac.SHA256),
  HS384(Hmac.SHA384),
  HS512(Hmac.SHA512);

  private final Hmac hmac;

  MacAlgorithm(Hmac hmac) {
    this.hmac = hmac;
  }

  /** Returns the algorithm of a name; empty if it is not taken. */
  public static Optional<MacAlgorithm> of(String name) {
    return Arrays.stream(values()).filter(a -> a.name().equals(name)).findFirst();
  }

  Hmac hmac() {
    return hmac;
  }
}
