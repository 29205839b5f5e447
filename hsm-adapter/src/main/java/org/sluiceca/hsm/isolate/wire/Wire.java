package org.sluiceca.hsm.isolate.wire;

import org.sluiceca.hsm.SignRequest;

/** The limits and constants of the protocol. */
public final class Wire {
  /** Raised with every change of a frame's layout: a file replaced under a running node shows. */
  public static final int VERSION = 2;

  /** 256 bits, as no one guesses. */
  public static final int SECRET_BYTES = 32;

  /** The greeting's payload: the version, then the secret. */
  public static final int HELLO_BYTES = 1 + SECRET_BYTES;

  /** The unsolicited answer: the module is loaded, or why it is not. */
  public static final long READY = 0;

  /** The largest message to sign, and room for what stands around it. */
  public static final int FRAME_BYTES_MAX = SignRequest.MESSAGE_BYTES_MAX + 4096;

  /** Key pairs are made of some 12 attributes; no template here has more than twice that. */
  public static final int TEMPLATE_MAX = 32;

  /** CK_TOKEN_INFO allows 32 bytes for a label; messages for people are cut at this length. */
  public static final int TEXT_BYTES_MAX = 1024;

  static final int KIND_BOOLEAN = 0;
  static final int KIND_LONG = 1;
  static final int KIND_BYTES = 2;

  private Wire() {}
}
