package org.sluiceca.hsm;

/**
 * One signature to make.
 *
 * @param key the key to sign with
 * @param mechanism how; it must suit the key's type, which the token checks
 * @param message the bytes to be signed, whole; the adapter digests where the mechanism wants a
 *     digest. At most 1 MiB. Not copied: the caller leaves them alone until the call returns
 * @param turn when it is its turn
 */
// A record holding an array is never compared; it lives for one call.
@SuppressWarnings("ArrayRecordComponent")
public record SignRequest(KeyRef key, Mechanism mechanism, byte[] message, Turn turn) {
  /** A TBSCertificate is 1 KB and a full CRL shard is kept below this; no token takes more. */
  public static final int MESSAGE_BYTES_MAX = 1 << 20;

  /** Checks the size of the message. */
  public SignRequest {
    if (message.length > MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a message of " + message.length + " bytes exceeds " + MESSAGE_BYTES_MAX);
    }
  }

  @Override
  public String toString() {
    return "SignRequest[" + key.id() + ", " + mechanism + ", " + message.length + " bytes]";
  }
}
