package org.sluiceca.api.acme.answer;

import java.util.Arrays;

/** The errors of RFC 8555 section 6.7, each with its status code. */
public enum AcmeError {
  ACCOUNT_DOES_NOT_EXIST("accountDoesNotExist", 400),
  ALREADY_REPLACED("alreadyReplaced", 409),
  ALREADY_REVOKED("alreadyRevoked", 400),
  BAD_CSR("badCSR", 400),
  BAD_NONCE("badNonce", 400),
  BAD_PUBLIC_KEY("badPublicKey", 400),
  BAD_REVOCATION_REASON("badRevocationReason", 400),
  BAD_SIGNATURE_ALGORITHM("badSignatureAlgorithm", 400),
  CONNECTION("connection", 400),
  DNS("dns", 400),
  EXTERNAL_ACCOUNT_REQUIRED("externalAccountRequired", 403),
  INCORRECT_RESPONSE("incorrectResponse", 400),
  INVALID_CONTACT("invalidContact", 400),
  INVALID_PROFILE("invalidProfile", 400),
  MALFORMED("malformed", 400),
  ORDER_NOT_READY("orderNotReady", 403),
  RATE_LIMITED("rateLimited", 429),
  REJECTED_IDENTIFIER("rejectedIdentifier", 403),
  SERVER_INTERNAL("serverInternal", 500),
  TLS("tls", 400),
  UNAUTHORIZED("unauthorized", 403),
  UNSUPPORTED_CONTACT("unsupportedContact", 400),
  UNSUPPORTED_IDENTIFIER("unsupportedIdentifier", 400);

  private static final String PREFIX = "urn:ietf:params:acme:error:";

  private final String text;
  private final int status;

  AcmeError(String text, int status) {
    this.text = text;
    this.status = status;
  }

  /** Returns the error of a challenge that was recorded under {@code text}. */
  public static AcmeError ofValidation(String text) {
    return Arrays.stream(values())
        .filter(error -> error.text.equals(text))
        .findFirst()
        .orElse(UNAUTHORIZED);
  }

  /** Returns the URN. */
  public String urn() {
    return PREFIX + text;
  }

  /** Returns the status code that usually goes with it. */
  public int status() {
    return status;
  }

  /** Returns the name without the URN's beginning, for metrics. */
  public String text() {
    return text;
  }
}
