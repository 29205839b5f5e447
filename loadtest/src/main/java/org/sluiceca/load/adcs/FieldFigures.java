package org.sluiceca.load.adcs;

/**
 * What the field's test had and found: <i>Scale testing the world's largest PKI… all running on
 * WS08R2 and Hyper-V</i>, Microsoft, 2009.
 */
final class FieldFigures {

  /** Of the chassis, signatures of RSA-2048 by one nCipher netHSM 2000. */
  static final double RATE = 200;

  /** Certificates a second of one of ten, least and most. */
  static final double NODE_RATE_LEAST = 18;

  static final double NODE_RATE_MOST = 20;

  /** GB of the chassis. */
  static final double HOST_GB = 64;

  /** CAs on it, as tested and as wanted afterwards. */
  static final int HOST_NODES = 10;

  static final int HOST_NODES_WANTED = 30;

  private FieldFigures() {}
}
