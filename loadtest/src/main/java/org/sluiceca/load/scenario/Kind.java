package org.sluiceca.load.scenario;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a request asks for. */
public enum Kind {
  /** A certificate. */
  ENROLL,
  /** A certificate in the place of one that was enrolled before. */
  RENEW,
  /** Certificates by a subjectAltName. */
  SEARCH,
  /** A certificate by its serial number. */
  READ,
  /** The revocation of a certificate, each once. */
  REVOKE,
  /** The complete CRL of the first issuer. */
  CRL,
  /** The status of one certificate, by POST. */
  OCSP;

  /** Returns its name in files and results. */
  @JsonValue
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether it makes a certificate, and so a row of the ledger. */
  public boolean isIssuance() {
    return this == ENROLL || this == RENEW;
  }

  /** Finds one by its name in files. */
  public static Optional<Kind> find(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
  }
}
