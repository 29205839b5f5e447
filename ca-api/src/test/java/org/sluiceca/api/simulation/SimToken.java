package org.sluiceca.api.simulation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.x509.OctetString;

/** The token that all nodes share. What it has begun it ends, whatever becomes of the caller. */
final class SimToken {

  /** A call without a signature. */
  static final class Fault extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean reachedSign;

    Fault(String message, boolean reachedSign) {
      super(message, null, false, false);
      this.reachedSign = reachedSign;
    }

    /** Whether the key may have been used. */
    boolean reachedSign() {
      return reachedSign;
    }
  }

  /** A call in the token; its end is reported to the waiting threads. */
  private static final class Call {
    private @Nullable OctetString signature;
    private boolean over;
  }

  private static final NoncedKey KEY = new NoncedKey(new byte[32]);
  private static final NoncedKey OTHER_KEY =
      new NoncedKey(
          new byte[] {
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
            25, 26, 27, 28, 29, 30, 31, 32
          });

  private final World world;
  private final Oracle oracle;
  private long lostUntil;

  SimToken(World world, Oracle oracle) {
    this.world = world;
    this.oracle = oracle;
  }

  static NoncedKey key() {
    return KEY;
  }

  boolean isUsable() {
    return world.now() >= lostUntil;
  }

  /** C_SignInit and C_Sign, on the calling session's task. */
  OctetString sign(SimNode node, RecordedIntent intent) throws Fault {
    Weather.Token weather = world.weather().token();
    if (world.strikes(weather.sessionLost(), "session lost")) {
      throw new Fault("CKR_SESSION_HANDLE_INVALID", false);
    }
    if (world.strikes(weather.lost(), "token lost")) {
      lostUntil = world.now() + world.dice().millis(300, 15_000);
    }
    if (!isUsable()) {
      throw new Fault("CKR_TOKEN_NOT_PRESENT", false);
    }
    oracle.signBegins(node, intent);
    Call call = new Call();
    long takes = takes(weather);
    boolean wrongKey = world.strikes(weather.wrongKey(), "another key");
    boolean wrongBits = world.strikes(weather.wrongSignature(), "wrong signature");
    byte[] message = intent.toBeSigned().octets();
    Baton.Task session = world.baton().current();
    world
        .baton()
        .spawn(
            "token",
            null,
            () -> {
              world.baton().pass(takes);
              call.signature = make(message, wrongKey, wrongBits);
              call.over = true;
              world.baton().wake(session);
            });
    while (!call.over) {
      world.baton().await(world.now() + Duration.ofSeconds(100).toNanos());
    }
    if (world.strikes(weather.answerLost(), "signature lost")) {
      throw new Fault("CKR_DEVICE_ERROR", true);
    }
    OctetString signature = call.signature;
    if (signature == null) {
      throw new Fault("CKR_FUNCTION_FAILED", true);
    }
    node.boundary("C_Sign returned");
    return signature;
  }

  /** The token's own word on its speed. */
  private long takes(Weather.Token weather) {
    if (world.strikes(weather.hang(), "token hangs")) {
      return world.dice().millis(4_000, 60_000);
    }
    return world.strikes(weather.slow(), "token slow")
        ? world.dice().millis(50, 4_000)
        : world.dice().millis(1, 8);
  }

  private OctetString make(byte[] message, boolean wrongKey, boolean wrongBits) {
    byte[] nonce = new byte[32];
    world.dice().generator().nextBytes(nonce);
    OctetString signature = (wrongKey ? OTHER_KEY : KEY).sign(message, nonce);
    if (wrongBits) {
      byte[] octets = signature.octets();
      octets[40] ^= 1;
      return OctetString.copyOf(octets);
    }
    if (!wrongKey) {
      oracle.signed(message, signature);
    }
    return signature;
  }
}
