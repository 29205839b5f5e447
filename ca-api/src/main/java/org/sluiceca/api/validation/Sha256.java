package org.sluiceca.api.validation;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which each Java platform has. */
public final class Sha256 {

  private Sha256() {}

  /** Returns the 32 octets of the digest. */
  public static byte[] of(byte[] octets) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(octets);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
