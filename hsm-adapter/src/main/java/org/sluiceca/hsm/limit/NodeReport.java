package org.sluiceca.hsm.limit;

/**
 * What a node reports to the leader about a token.
 *
 * @param node its identity
 * @param demand jobs in flight or ready to be
 * @param width the window that it uses now
 * @param rttSeconds its network round trip to the token
 * @param sample what it saw since its last report
 * @param grantSeen number of the newest grant that it has used; 0 if none yet
 */
public record NodeReport(
    String node, double demand, double width, double rttSeconds, Sample sample, long grantSeen) {

  /** Returns the same with another sample. */
  public NodeReport with(Sample other) {
    return new NodeReport(node, demand, width, rttSeconds, other, grantSeen);
  }
}
