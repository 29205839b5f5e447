package org.sluiceca.api.platform.change;

/**
 * What a loop waits for. Each topic has a number in the database. That of news only rises, with
 * every change that its loops must see. That of work says how much there is; as long as it is not
 * 0, each look counts as a change.
 */
public enum Topic {
  /** Revocations, holds and releases of any scope, and new scopes. */
  REVOCATIONS(true, false),
  /** Signatures of CRLs and deltas. */
  CRLS(true, false),
  /** Issued certificates that are not in the index yet. */
  UNINDEXED(true, true),
  /** Activations of profiles. */
  PROFILES(false, false),
  /** Activations of ACME endpoints. */
  ENDPOINTS(false, false),
  /** Issuers, their certificates and which of them are retired. */
  ISSUERS(false, false),
  /** Bulk revocations that were started and have not ended. */
  BULK_REVOCATIONS(false, true),
  /** Orders in the backlog. */
  ORDERS(false, true),
  /** Proofs of challenges that are to be looked for, by any node. */
  PROOFS(false, true),
  /** 1 while a live page of the console is open on any node, and for some seconds after; else 0. */
  WATCHED(false, false);

  private final boolean isQuick;
  private final boolean isWork;

  Topic(boolean isQuick, boolean isWork) {
    this.isQuick = isQuick;
    this.isWork = isWork;
  }

  /** Returns whether it is asked about in every look and not only once a second. */
  public boolean isQuick() {
    return isQuick;
  }

  /** Returns whether its loops may not rest while its number is not 0. */
  boolean isWork() {
    return isWork;
  }
}
