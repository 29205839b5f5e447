package org.sluiceca.hsm.pkcs11;

import java.util.List;
import java.util.Optional;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SubjectPublicKeyInfo;

/** One open session. Owned by one thread at a time; object handles found in it die with it. */
public final class Session implements AutoCloseable {
  private final Cryptoki cryptoki;
  private final Token token;
  private final SessionHandle handle;

  Session(Cryptoki cryptoki, Token token, SessionHandle handle) {
    this.cryptoki = cryptoki;
    this.token = token;
    this.handle = handle;
  }

  SessionHandle handle() {
    return handle;
  }

  /** The token it is a session of. */
  public Token token() {
    return token;
  }

  /** Whether the module has not been initialised again since this session was opened. */
  public boolean isCurrent() {
    return handle.generation() == cryptoki.generation();
  }

  /** Whether the application is logged in. Some modules say so of a token that is gone. */
  public boolean isLoggedIn() {
    return cryptoki.isLoggedIn(handle);
  }

  /**
   * The handle of this private key, after its public key has been compared.
   *
   * @throws HsmException.KeyMissing when the pair is not there or not unique
   * @throws HsmException.KeyMismatch when its public key is another
   * @throws CryptokiException when the token is gone or logged out, rather than without this key
   */
  public long findPrivateKey(KeyRef key) {
    long privateKey =
        privateKeyHandle(key.id())
            .orElseThrow(
                () ->
                    new HsmException.KeyMissing(
                        "the token has no private key with CKA_ID " + key.id()));
    if (!publicKey(key.id()).equals(key.publicKey())) {
      throw new HsmException.KeyMismatch(
          "the key with CKA_ID " + key.id() + " is not the one expected: public keys differ");
    }
    return privateKey;
  }

  /**
   * The private key with this CKA_ID; empty when a token that is present and logged in has none.
   *
   * @throws HsmException.KeyMissing when two have it: which one is meant cannot be known
   */
  public Optional<Long> privateKeyHandle(CkaId id) {
    long[] found = find(Cka.CKO_PRIVATE_KEY, id);
    if (found.length > 1) {
      throw new HsmException.KeyMissing("the token has two private keys with CKA_ID " + id);
    }
    if (found.length == 1) {
      return Optional.of(found[0]);
    }
    // A token that is gone or logged out also finds nothing, and says CKR_OK.
    token.checkPresent();
    if (!isLoggedIn()) {
      throw new CryptokiException("C_FindObjects (logged out)", Ckr.USER_NOT_LOGGED_IN);
    }
    return Optional.empty();
  }

  /**
   * The public key with this CKA_ID.
   *
   * @throws HsmException.KeyMissing when there is none or more than one, or it is of a kind that
   *     this module does not sign with
   */
  public SubjectPublicKeyInfo publicKey(CkaId id) {
    long[] found = find(Cka.CKO_PUBLIC_KEY, id);
    if (found.length != 1) {
      throw new HsmException.KeyMissing(
          "the token has "
              + (found.length == 0 ? "no public key" : "two public keys")
              + " with CKA_ID "
              + id);
    }
    return TokenPublicKey.read(cryptoki, handle, found[0]);
  }

  /** One boolean attribute; false when the token does not say. */
  public boolean isSet(long object, long type) {
    return Boolean.TRUE.equals(cryptoki.attribute(handle, object, type));
  }

  /** C_GenerateKeyPair; the mechanism takes no parameter. */
  public void generateKeyPair(long ckm, List<Attribute> publicKey, List<Attribute> privateKey) {
    cryptoki.generateKeyPair(handle, ckm, publicKey, privateKey);
  }

  /** C_SignInit and C_Sign over what {@link Mechanism#tokenInput} made of the message. */
  public byte[] sign(Mechanism mechanism, long privateKey, byte[] tokenInput) {
    return cryptoki.sign(handle, mechanism, privateKey, tokenInput);
  }

  /** C_CloseSession; a session that is gone already is closed. */
  @Override
  public void close() {
    try {
      cryptoki.closeSession(handle);
    } catch (CryptokiException e) {
      // Nothing can be done about a session that does not close; the token or it is gone.
      return;
    }
  }

  private long[] find(long objectClass, CkaId id) {
    return cryptoki.findObjects(
        handle, List.of(Attribute.of(Cka.CLASS, objectClass), Attribute.of(Cka.ID, id.bytes())), 2);
  }
}
