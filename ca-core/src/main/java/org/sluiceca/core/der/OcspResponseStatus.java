package org.sluiceca.core.der;

/** Why an OCSP response has no content (RFC 6960 4.2.1). Such responses are not signed. */
public enum OcspResponseStatus {
  /** The request is none. */
  MALFORMED_REQUEST(1),
  /** The responder is broken. */
  INTERNAL_ERROR(2),
  /** Not now. */
  TRY_LATER(3),
  /** The responder cannot speak for that issuer or certificate (RFC 5019 2.2.3). */
  UNAUTHORIZED(6);

  private final int code;

  OcspResponseStatus(int code) {
    this.code = code;
  }

  /** Returns the value of the OCSPResponseStatus enumeration. */
  public int code() {
    return code;
  }
}
