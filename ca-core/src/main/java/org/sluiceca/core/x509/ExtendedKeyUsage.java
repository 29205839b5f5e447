package org.sluiceca.core.x509;

/** The key purposes of RFC 5280 4.2.1.12 that profiles may name. */
public enum ExtendedKeyUsage {
  SERVER_AUTH("1.3.6.1.5.5.7.3.1"),
  CLIENT_AUTH("1.3.6.1.5.5.7.3.2"),
  CODE_SIGNING("1.3.6.1.5.5.7.3.3"),
  EMAIL_PROTECTION("1.3.6.1.5.5.7.3.4"),
  TIME_STAMPING("1.3.6.1.5.5.7.3.8"),
  OCSP_SIGNING("1.3.6.1.5.5.7.3.9");

  private final String oid;

  ExtendedKeyUsage(String oid) {
    this.oid = oid;
  }

  /** Returns the KeyPurposeId in dotted form. */
  public String oid() {
    return oid;
  }
}
