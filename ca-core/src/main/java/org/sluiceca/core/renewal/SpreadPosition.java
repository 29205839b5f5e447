package org.sluiceca.core.renewal;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The position of a certificate in whatever is spread: a hash of its serial number, so that
 * certificates of one moment are spread evenly and every node computes the same.
 */
final class SpreadPosition {

  /** A double holds 53 bits exactly, so a fraction of 53 bits never rounds up to 1. */
  private static final int BITS = 53;

  private SpreadPosition() {}

  /** Returns the position of the window, 0 inclusive to 1 exclusive. */
  static double ofWindow(SerialNumber serial) {
    return fraction(serial, 0);
  }

  /** Returns the position of the polling interval, 0 to 1, independent of the window's. */
  static double ofPolling(SerialNumber serial) {
    return fraction(serial, Long.BYTES);
  }

  private static double fraction(SerialNumber serial, int at) {
    long bits = ByteBuffer.wrap(sha256().digest(serial.octets())).getLong(at);
    return (bits >>> (Long.SIZE - BITS)) * 0x1p-53;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
