package org.sluiceca.hsm.pkcs11;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Pin;
import org.sluiceca.hsm.PinFile;

/** A token found by its label. */
public final class Token {
  private final Cryptoki cryptoki;
  private final long slot;
  private final String label;

  private Token(Cryptoki cryptoki, long slot, String label) {
    this.cryptoki = cryptoki;
    this.slot = slot;
    this.label = label;
  }

  /**
   * The one token with this label. Slot numbers may change whenever tokens come and go, so a token
   * is looked for again at each reconnect.
   *
   * @throws HsmException.TokenMissing when none has it, or two have
   * @throws CryptokiException when the module does not list its slots
   */
  public static Token find(Cryptoki cryptoki, String label) {
    List<String> seen = new ArrayList<>();
    List<Long> matching = new ArrayList<>();
    for (long slot : cryptoki.slotsWithToken()) {
      try {
        String found = cryptoki.tokenLabel(slot);
        if (found.equals(label)) {
          matching.add(slot);
        }
        seen.add(found.isEmpty() ? "(no label)" : found);
      } catch (CryptokiException e) {
        // One unreadable token must not hide the others; if it was ours, it is missing.
        seen.add("unreadable: " + e.ckr());
      }
    }
    if (matching.size() == 1) {
      return new Token(cryptoki, matching.getFirst(), label);
    }
    throw new HsmException.TokenMissing(
        (matching.isEmpty() ? "no token labelled \"" : "several tokens labelled \"")
            + label
            + "\" in "
            + cryptoki.name()
            + "; tokens there: "
            + seen);
  }

  /**
   * Asks the token what distinguishes it from others.
   *
   * @throws CryptokiException when it does not answer
   */
  public Cryptoki.TokenInfo info() {
    return cryptoki.tokenInfo(slot);
  }

  /** Opens a session; {@code readWrite} for making keys. */
  public Session openSession(boolean readWrite) {
    return new Session(cryptoki, this, cryptoki.openSession(slot, readWrite));
  }

  /**
   * Logs the application in as user, unless it is. A PIN that was refused once is never offered to
   * the token again by this process.
   *
   * @param refusesPin which codes mean that the PIN itself was refused
   * @throws HsmException.PinRefused now, or because of an earlier refusal
   * @throws CryptokiException for any other failure
   */
  public void login(Session session, PinFile pinFile, Predicate<Ckr> refusesPin) {
    if (session.isLoggedIn()) {
      return;
    }
    try (Pin pin = pinFile.read()) {
      RefusedPins.check(cryptoki.name(), label, pin);
      try {
        cryptoki.login(session.handle(), pin.characters());
      } catch (CryptokiException e) {
        if (e.ckr().equals(Ckr.USER_ALREADY_LOGGED_IN)) {
          return;
        }
        if (refusesPin.test(e.ckr())) {
          RefusedPins.remember(cryptoki.name(), label, pin);
          throw new HsmException.PinRefused(
              "token \"" + label + "\" refuses the PIN (" + e.ckr() + "); it is not tried again");
        }
        throw e;
      }
    }
  }

  /**
   * Asks the token for its label: with some modules the only call that notices a token's removal.
   *
   * @throws CryptokiException when it cannot tell, or is another token by now
   */
  void checkPresent() {
    if (!cryptoki.tokenLabel(slot).equals(label)) {
      throw new CryptokiException("C_GetTokenInfo (another label)", Ckr.TOKEN_NOT_PRESENT);
    }
  }
}
