package org.sluiceca.load.run;

import java.time.Duration;
import java.util.List;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;

/**
 * Revokes certificates as an officer would, and looks for them on the CRLs of all nodes. Blocks;
 * one thread at a time.
 */
final class Revocations {

  /** Ten times what is promised, and more: then something is broken. */
  private static final Duration PUBLISHED_WITHIN = Duration.ofSeconds(30);

  private static final Duration LOOK = Duration.ofMillis(20);

  private final NodeAddresses doors;
  private final LedgerRows rows;

  /** Revokes what {@code rows} know, at the nodes behind {@code doors}. */
  Revocations(NodeAddresses doors, LedgerRows rows) {
    this.doors = doors;
    this.rows = rows;
  }

  /**
   * Revokes one certificate at the first of the nodes, and returns when it is on the CRL of each.
   *
   * @throws TrialException if it cannot be revoked, or is not on all CRLs within half a minute
   */
  void revoke(List<Integer> nodes) {
    String serial = rows.revocable();
    doors.revoke(nodes.getFirst(), serial);
    Wait.require(
        PUBLISHED_WITHIN,
        LOOK,
        serial + " is not on the CRL of each of " + nodes,
        () -> nodes.stream().allMatch(node -> doors.crl(node).contains(serial)));
  }
}
