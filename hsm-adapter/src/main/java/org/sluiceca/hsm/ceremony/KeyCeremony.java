package org.sluiceca.hsm.ceremony;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.StartupLock;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.vendor.CkrProfile;
import org.sluiceca.hsm.vendor.FailureClass;

/**
 * One logged-in read-write session for making and finding a CA's key pairs. Not thread-safe, blocks
 * as long as the token takes: for a person at a command line, not for the service.
 */
public final class KeyCeremony implements AutoCloseable {
  private final Session session;
  private final CkrProfile profile;

  private KeyCeremony(Session session, CkrProfile profile) {
    this.session = session;
    this.profile = profile;
  }

  /**
   * Loads the module, finds the token and logs in.
   *
   * @throws HsmException with one clear line: module or token missing, PIN unreadable or refused
   */
  public static KeyCeremony open(Path module, String tokenLabel, PinFile pin) {
    return open(WrapperCryptoki.load(module), tokenLabel, pin, CkrProfile.forModule(module));
  }

  /**
   * The same, with what the vendor's return values mean; how hard to drive the token is not looked
   * at, and the module is loaded into this process.
   *
   * @throws HsmException as {@link #open(Path, String, PinFile)}
   */
  public static KeyCeremony open(HsmSettings token) {
    return open(
        WrapperCryptoki.load(token.module()), token.tokenLabel(), token.pin(), token.vendor());
  }

  static KeyCeremony open(Cryptoki cryptoki, String label, PinFile pin, CkrProfile profile) {
    return translating(
        profile,
        () ->
            StartupLock.holding(
                cryptoki.name(), label, pin, () -> login(cryptoki, label, pin, profile)));
  }

  private static KeyCeremony login(
      Cryptoki cryptoki, String label, PinFile pin, CkrProfile profile) {
    Token token = Token.find(cryptoki, label);
    Session session = token.openSession(true);
    try {
      token.login(session, pin, ckr -> profile.classify(ckr) == FailureClass.PIN_REFUSED);
      return new KeyCeremony(session, profile);
    } catch (HsmException | CryptokiException e) {
      session.close();
      throw e;
    }
  }

  /**
   * The pair with this CKA_ID, made now if the token has none. An existing pair is taken as it is,
   * whatever its kind, if its attributes are fit for a CA.
   *
   * @param label CKA_LABEL of both halves, for people
   * @throws HsmException.KeyUnfit when the private key could leave, or could have left, the token
   * @throws HsmException.KeyMissing when two private keys have this CKA_ID
   */
  public KeyRef generateIfAbsent(CkaId id, String label, KeyAlgorithm algorithm) {
    Optional<KeyRef> existing = find(id);
    if (existing.isPresent()) {
      return existing.get();
    }
    return translating(
        profile,
        () -> {
          session.generateKeyPair(
              algorithm.ckm(), publicTemplate(id, label, algorithm), privateTemplate(id, label));
          // Read back, because a module may ignore what a template asks for.
          return find(id)
              .orElseThrow(
                  () ->
                      new HsmException.KeyMissing(
                          "the token made a key pair but does not show it: CKA_ID " + id));
        });
  }

  /**
   * The pair with this CKA_ID; empty when the token has none.
   *
   * @throws HsmException.KeyUnfit when the private key could leave, or could have left, the token
   * @throws HsmException.KeyMissing when two private keys, or no public key, have this CKA_ID
   */
  public Optional<KeyRef> find(CkaId id) {
    return translating(
        profile,
        () ->
            session
                .privateKeyHandle(id)
                .map(
                    privateKey -> {
                      checkFit(id, privateKey);
                      return new KeyRef(id, session.publicKey(id));
                    }));
  }

  /**
   * Returns whether the token has this pair, fit for a CA or not.
   *
   * @throws HsmException.KeyMissing when two private keys, or no public key, have its CKA_ID
   */
  public boolean holds(KeyRef key) {
    return translating(
        profile,
        () ->
            session.privateKeyHandle(key.id()).isPresent()
                && session.publicKey(key.id()).equals(key.publicKey()));
  }

  /**
   * Measures the token with key pairs that live as long as a session. No other client may use the
   * token meanwhile: its work would be taken for slowness of the token. Takes some seconds a class,
   * 20 s with the slowest token that we know of.
   *
   * @param classes at least one
   * @throws HsmException.RequestRefused when the token makes no key pairs in a session
   */
  public Calibration calibrate(Collection<SignatureClass> classes) {
    return translating(profile, () -> new Calibrator(session.token(), profile).measure(classes));
  }

  /** Closes the session. */
  @Override
  public void close() {
    session.close();
  }

  private void checkFit(CkaId id, long privateKey) {
    check(id, session.isSet(privateKey, Cka.SENSITIVE), "CKA_SENSITIVE is not set");
    check(id, session.isSet(privateKey, Cka.ALWAYS_SENSITIVE), "CKA_ALWAYS_SENSITIVE is not set");
    check(id, !session.isSet(privateKey, Cka.EXTRACTABLE), "CKA_EXTRACTABLE is set");
    check(id, session.isSet(privateKey, Cka.NEVER_EXTRACTABLE), "CKA_NEVER_EXTRACTABLE is not set");
    check(id, session.isSet(privateKey, Cka.SIGN), "CKA_SIGN is not set");
  }

  private static void check(CkaId id, boolean holds, String otherwise) {
    if (!holds) {
      throw new HsmException.KeyUnfit(
          "the private key with CKA_ID " + id + " is not fit for a CA: " + otherwise);
    }
  }

  private static List<Attribute> publicTemplate(CkaId id, String label, KeyAlgorithm algorithm) {
    List<Attribute> template = new ArrayList<>(algorithm.publicAttributes());
    template.add(Attribute.of(Cka.TOKEN, true));
    template.add(Attribute.of(Cka.ID, id.bytes()));
    template.add(Attribute.of(Cka.LABEL, label));
    template.add(Attribute.of(Cka.VERIFY, true));
    return template;
  }

  private static List<Attribute> privateTemplate(CkaId id, String label) {
    return List.of(
        Attribute.of(Cka.TOKEN, true),
        Attribute.of(Cka.PRIVATE, true),
        Attribute.of(Cka.SENSITIVE, true),
        Attribute.of(Cka.EXTRACTABLE, false),
        Attribute.of(Cka.SIGN, true),
        // Modules set these by default; a CA key signs and does nothing else.
        Attribute.of(Cka.SIGN_RECOVER, false),
        Attribute.of(Cka.DECRYPT, false),
        Attribute.of(Cka.UNWRAP, false),
        Attribute.of(Cka.DERIVE, false),
        Attribute.of(Cka.ID, id.bytes()),
        Attribute.of(Cka.LABEL, label));
  }

  private static <T> T translating(CkrProfile profile, Supplier<T> body) {
    try {
      return body.get();
    } catch (CryptokiException e) {
      throw profile.translate(e);
    }
  }
}
