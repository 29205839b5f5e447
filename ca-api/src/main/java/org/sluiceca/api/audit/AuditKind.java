package org.sluiceca.api.audit;

/**
 * What the audit trail records. The texts stay in stored rows: values are added, never changed or
 * removed.
 */
public enum AuditKind {
  /** A node began: its software, the digest of its configuration, its issuers. */
  NODE_STARTED("node.started"),
  /** A node ended in order; a chain without has a crash at its end. */
  NODE_STOPPED("node.stopped"),
  /** An issuer whose certificates a node has from its start on. */
  ISSUER_ACTIVE("issuer.active"),
  /** A profile under which a node issues from now on: at its start, and when it is taken up. */
  PROFILE_ACTIVE("profile.active"),
  /** Certificates that became durable and may have left, with their SHA-256. */
  CERTIFICATES_ISSUED("certificates.issued"),
  /** Requests refused for cause. */
  REQUEST_REJECTED("request.rejected", true),
  /** Requests refused for load. */
  REQUEST_SHED("request.shed", true),
  /** A certificate ends with its issuer, before its profile would have it. */
  VALIDITY_CLAMPED("validity.clamped"),
  /** A signature that does not verify. */
  SIGNATURE_REFUSED("signature.refused"),
  /** An intent that another node left. */
  INTENT_TAKEN_OVER("intent.taken-over"),
  /** An intent that was given up. */
  INTENT_ABANDONED("intent.abandoned"),
  /** A credential that is not valid, or none where one is needed. */
  LOGIN_FAILED("login.failed", true),
  /** Who the requester behind a provider's access token is, at its first use in an hour. */
  OIDC_TOKEN("oidc.token"),
  /** The holder of a credential is about to sign in to the console. */
  CONSOLE_SIGN_IN("console.sign-in"),
  /** A requester is about to end a session of the console, or its others. */
  CONSOLE_SIGN_OUT("console.sign-out"),
  /** A requester without the role. */
  ACCESS_DENIED("access.denied", true),
  /** The number of denied requests of one actor in a minute that have no row of their own. */
  DENIALS_COUNTED("denials.counted"),
  /** An administrator is about to register a credential. */
  CREDENTIAL_REGISTER("credential.register"),
  /** The holder of a token is about to get another one in its place. */
  CREDENTIAL_ROTATE("credential.rotate"),
  /**
   * An administrator is about to revoke a credential, and what was rotated from it; or the first
   * use of a token is about to end the one that it replaces.
   */
  CREDENTIAL_REVOKE("credential.revoke"),
  /** An administrator is about to store a version of a profile. */
  PROFILE_ADD("profile.add"),
  /** An administrator is about to have a version of a profile issue. */
  PROFILE_ACTIVATE("profile.activate"),
  /** An administrator is about to store a version of an endpoint. */
  ENDPOINT_ADD("endpoint.add"),
  /** An administrator is about to have a version of an endpoint served. */
  ENDPOINT_ACTIVATE("endpoint.activate"),
  /** An administrator is about to install another issuer. */
  ISSUER_INSTALL("issuer.install"),
  /** An administrator is about to give an issuer another certificate. */
  ISSUER_RENEW("issuer.renew"),
  /** An administrator is about to retire an issuer for good. */
  ISSUER_RETIRE("issuer.retire"),
  /** An administrator or officer is about to ask for an act that needs a second person. */
  APPROVAL_ASK("approval.ask"),
  /** A second person is about to approve or refuse, or who asked to withdraw. */
  APPROVAL_DECIDE("approval.decide"),
  /** How carrying out an approved act ended. */
  APPROVAL_END("approval.end"),
  /** A step of a key ceremony is about to begin. */
  CEREMONY_BEGUN("ceremony.begun"),
  /** What a step of a key ceremony made. */
  CEREMONY_RESULT("ceremony.result"),
  /** A step of a key ceremony ended well; one without this row failed. */
  CEREMONY_ENDED("ceremony.ended"),
  /** A requester or officer is about to revoke a certificate, or to release it from hold. */
  CERTIFICATE_REVOKE("certificate.revoke"),
  /** A revocation, or another reason for one, is durable. */
  CERTIFICATE_REVOKED("certificate.revoked"),
  /** A requester or officer is about to cancel an order. */
  ORDER_CANCEL("order.cancel"),
  /** A certificate is promised in the place of another. */
  CERTIFICATE_RENEWAL("certificate.renewal"),
  /** An officer is shown how many certificates a bulk revocation would concern. */
  REVOCATION_DRY_RUN("revocation.dry-run"),
  /** An officer is about to start the bulk revocation that a dry run showed. */
  REVOCATION_START("revocation.start"),
  /** The revocation of some certificates of a bulk revocation is durable. */
  CERTIFICATES_REVOKED("certificates.revoked"),
  /** A bulk revocation is about to be recorded as over. */
  REVOCATION_END("revocation.end"),
  /** The end of a hold is durable. */
  HOLD_RELEASED("hold.released"),
  /** A CRL is durable and signed. */
  CRL_ISSUED("crl.issued"),
  /** An auditor reads the trail over REST, from its beginning. */
  AUDIT_EXPORT("audit.export"),
  /** An account of ACME is about to be made, changed or ended by its key. */
  ACME_ACCOUNT("acme.account"),
  /** An administrator is about to make or revoke an external account binding. */
  ACME_BINDING("acme.binding"),
  /** A name of an order of ACME was proven. */
  ACME_AUTHORIZATION("acme.authorization"),
  /** An account of ACME has sent the CSR of an order. */
  ACME_ORDER("acme.order"),
  /** So much was lost, because more happened than could be kept until it was written. */
  GAP("audit.gap");

  private final String text;
  private final boolean isDenial;

  AuditKind(String text) {
    this(text, false);
  }

  AuditKind(String text, boolean isDenial) {
    this.text = text;
    this.isDenial = isDenial;
  }

  /**
   * Whether facts of this kind come from denied requests: a client makes as many of them as it
   * likes, so each actor has a share of the rows and the rest is counted. All other kinds are kept.
   */
  boolean isDenial() {
    return isDenial;
  }

  /** Returns how rows name it. */
  public String text() {
    return text;
  }
}
