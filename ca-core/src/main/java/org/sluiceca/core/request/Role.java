package org.sluiceca.core.request;

/** What a requester may do in addition to reading what it enrolled itself. */
public enum Role {
  /** Enroll under its profiles. */
  REQUESTER,
  /** Revoke and look up any certificate. */
  OFFICER,
  /** Read everything, change nothing. */
  AUDITOR,
  /** Register requesters and their credentials. */
  ADMIN
}
