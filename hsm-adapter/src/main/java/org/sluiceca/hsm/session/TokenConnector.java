package org.sluiceca.hsm.session;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyFindings;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.ModuleUsers;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.StartupLock;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.vendor.FailureClass;

/**
 * Finds the token, opens a session in it, logs in and looks for keys. Used by one thread at a time.
 */
final class TokenConnector {
  private final Cryptoki cryptoki;
  private final HsmSettings settings;
  private final AtomicLong reinitialisations = new AtomicLong();

  /**
   * The life of the module in which the token was last looked for. Used by one thread at a time.
   */
  private long seenGeneration;

  TokenConnector(Cryptoki cryptoki, HsmSettings settings) {
    this.cryptoki = cryptoki;
    this.settings = settings;
  }

  /**
   * A logged-in session with a token that was lost: the module is initialised again before, if the
   * vendor's profile says so, no call hangs in it, and no other user of it works or has done so.
   *
   * @param lostNanos since when it is lost
   * @throws HsmException when the token is not there or the PIN is refused
   * @throws CryptokiException for any other failure of the token
   */
  Session reconnect(long lostNanos) {
    if (settings.isolated() || settings.vendor().reinitialiseWhenLost()) {
      boolean isFresh = startupLocked(() -> reinitialise(lostNanos));
      if (isFresh) {
        reinitialisations.incrementAndGet();
      }
    }
    return connect();
  }

  private boolean reinitialise(long lostNanos) {
    // Another user may have done it since, and have the token already.
    boolean isSeen = cryptoki.generation() == seenGeneration;
    try {
      return isSeen
          && !cryptoki.users().areOthersWorking(this, lostNanos, System.nanoTime())
          && cryptoki.reinitialise();
    } finally {
      seenGeneration = cryptoki.generation();
    }
  }

  /**
   * A logged-in session.
   *
   * @throws HsmException when the token is not there or the PIN is refused
   * @throws CryptokiException for any other failure of the token
   */
  Session connect() {
    seenGeneration = cryptoki.generation();
    Token token = Token.find(cryptoki, settings.tokenLabel());
    Session session = token.openSession(false);
    try {
      if (!session.isLoggedIn()) {
        startupLocked(() -> login(token, session));
      }
      return session;
    } catch (HsmException | CryptokiException e) {
      session.close();
      throw e;
    }
  }

  /**
   * Which of the keys the token holds; one with another public key than expected counts as absent.
   *
   * @throws CryptokiException when the token fails; the session is closed then
   */
  static KeyFindings lookFor(Collection<KeyRef> keys, Session session) {
    Set<KeyRef> held = new HashSet<>();
    Map<KeyRef, HsmException> absent = new HashMap<>();
    try {
      for (KeyRef key : keys) {
        try {
          long _ = session.findPrivateKey(key);
          held.add(key);
        } catch (HsmException e) {
          absent.put(key, e);
        }
      }
      return new KeyFindings(held, absent);
    } catch (CryptokiException e) {
      session.close();
      throw e;
    }
  }

  /** Lets the other users of the module in this process read how this one's token stands. */
  void join(BooleanSupplier isThere, LongSupplier signedNanos) {
    cryptoki.users().join(this, new ModuleUsers.Use(settings.tokenLabel(), isThere, signedNanos));
  }

  /** No longer uses the module. */
  void leave() {
    cryptoki.users().leave(this);
  }

  long reinitialisations() {
    return reinitialisations.get();
  }

  private boolean login(Token token, Session session) {
    token.login(session, settings.pin(), this::refusesPin);
    return true;
  }

  private boolean startupLocked(Supplier<Boolean> body) {
    return StartupLock.holding(cryptoki.name(), settings.tokenLabel(), settings.pin(), body);
  }

  private boolean refusesPin(Ckr ckr) {
    return settings.vendor().classify(ckr) == FailureClass.PIN_REFUSED;
  }
}
