package org.sluiceca.core.x509;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a certificate was revoked: CRLReason (RFC 5280 5.3.1). Its {@code removeFromCRL} has no
 * member: that is no reason but the end of a hold.
 */
public enum RevocationReason {
  UNSPECIFIED(0, "unspecified"),
  KEY_COMPROMISE(1, "keyCompromise"),
  CA_COMPROMISE(2, "cACompromise"),
  AFFILIATION_CHANGED(3, "affiliationChanged"),
  SUPERSEDED(4, "superseded"),
  CESSATION_OF_OPERATION(5, "cessationOfOperation"),
  CERTIFICATE_HOLD(6, "certificateHold"),
  PRIVILEGE_WITHDRAWN(9, "privilegeWithdrawn"),
  AA_COMPROMISE(10, "aACompromise");

  private final int code;
  private final String label;

  RevocationReason(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** Returns the value of the CRLReason enumeration. */
  public int code() {
    return code;
  }

  /** Returns the standard's name of the value, such as {@code keyCompromise}. */
  public String label() {
    return label;
  }

  /** Returns the reason of this name, spelt as the standard does. */
  public static Optional<RevocationReason> ofLabel(String label) {
    return Arrays.stream(values()).filter(r -> r.label.equals(label)).findFirst();
  }

  /** Returns the reason of this code. */
  public static Optional<RevocationReason> ofCode(int code) {
    return Arrays.stream(values()).filter(r -> r.code == code).findFirst();
  }

  /** Returns whether others may hold the key, so that minutes count. */
  public boolean isCompromise() {
    return this == KEY_COMPROMISE || this == CA_COMPROMISE || this == AA_COMPROMISE;
  }
}
