package org.sluiceca.core.profile;

import org.sluiceca.core.request.EnrollmentRequest;

/** A request whose requester may use its profile. Minted by {@link ProfileAuthorizer} only. */
public final class AuthorizedRequest {

  private final EnrollmentRequest request;
  private final CertificateProfile profile;

  AuthorizedRequest(EnrollmentRequest request, CertificateProfile profile) {
    this.request = request;
    this.profile = profile;
  }

  /** Returns the request. */
  public EnrollmentRequest request() {
    return request;
  }

  /** Returns the profile that the request named. */
  public CertificateProfile profile() {
    return profile;
  }
}
