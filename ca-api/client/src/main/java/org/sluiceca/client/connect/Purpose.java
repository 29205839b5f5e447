package org.sluiceca.client.connect;

/**
 * What a command wants a credential for. A command never takes an administrator's credential for
 * what a lesser one can do.
 */
public enum Purpose {
  /** Enroll and read what this requester enrolled. */
  ENROLL,
  /** Act as an officer, an auditor or an administrator. */
  ADMINISTER,
  /** Needs no credential. */
  PUBLIC
}
