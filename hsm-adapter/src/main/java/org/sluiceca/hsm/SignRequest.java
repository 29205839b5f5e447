package org.sluiceca.hsm;

import java.util.function.Consumer;

/**
 * One signature to make.
 *
 * @param key the key to sign with
 * @param mechanism how; it must suit the key's type, which the token checks
 * @param message the bytes to be signed, whole; the adapter digests where the mechanism wants a
 *     digest: at most 100 MB then, and 1 MiB where the token takes the message. Not copied: the
 *     caller leaves them alone until the call returns
 * @param schedule when it is its turn
 * @param watcher hears on a session thread what became of it, if one took it: at most once on each
 *     token, and maybe after the call has returned. Must not block and must not throw
 * @param waitStrategy how the calling thread sleeps until it is answered
 */
// A record holding an array is never compared; it lives for one call.
@SuppressWarnings("ArrayRecordComponent")
public record SignRequest(
    KeyRef key,
    Mechanism mechanism,
    byte[] message,
    SignSchedule schedule,
    Consumer<SignObservation> watcher,
    WaitStrategy waitStrategy) {
  /** What a token may be given: a TBSCertificate is 1 KB, a CRL of 20,000 entries this. */
  public static final int MESSAGE_BYTES_MAX = 1 << 20;

  /** What may be digested here: a CRL of two million entries. */
  public static final int DIGESTED_BYTES_MAX = 100_000_000;

  /** The watcher of a request that is not watched. */
  public static final Consumer<SignObservation> UNWATCHED = signing -> {};

  /** A request that is not watched. */
  public SignRequest(KeyRef key, Mechanism mechanism, byte[] message, SignSchedule schedule) {
    this(key, mechanism, message, schedule, UNWATCHED, WaitStrategy.TIMED);
  }

  /** Checks the size of the message. */
  public SignRequest {
    int bytesMax = mechanism.isDigested() ? DIGESTED_BYTES_MAX : MESSAGE_BYTES_MAX;
    if (message.length > bytesMax) {
      throw new IllegalArgumentException(
          "a message of " + message.length + " bytes exceeds " + bytesMax);
    }
  }

  @Override
  public String toString() {
    return "SignRequest[" + key.id() + ", " + mechanism + ", " + message.length + " bytes]";
  }
}
