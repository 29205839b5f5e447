package org.sluiceca.hsm.testkit;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.ModuleUsers;
import org.sluiceca.hsm.pkcs11.SessionHandle;

/**
 * A token of one P-256 key whose failures are scripted. Signatures are the data handed to C_Sign.
 */
public final class FakeCryptoki implements Cryptoki {
  public static final String PIN = "1234";
  private static final long SLOT = 7;
  private static final long PRIVATE_KEY = 11;
  private static final long PUBLIC_KEY = 12;
  private static final CkaId ID = CkaId.parse("01");

  private final String label;
  private final Set<Long> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong generation = new AtomicLong(1);
  private final AtomicLong nextSession = new AtomicLong(1);
  private final ModuleUsers users = new ModuleUsers();
  private volatile boolean loggedIn;
  private volatile ECPublicKey key = newKey();

  /** What the next calls of C_SignInit and C_Sign return instead of working. */
  public final Deque<Ckr> signInitFailures = new ConcurrentLinkedDeque<>();

  public final Deque<Ckr> signFailures = new ConcurrentLinkedDeque<>();

  /** What C_SignInit returns on the calling thread instead of working; empty to work. */
  public volatile Supplier<Optional<Ckr>> signInitFault = Optional::empty;

  /** The same of C_OpenSession. */
  public final Deque<Ckr> openFailures = new ConcurrentLinkedDeque<>();

  public final AtomicInteger logins = new AtomicInteger();
  public final AtomicInteger opens = new AtomicInteger();

  /** How often it was asked for its label. */
  public final AtomicInteger finds = new AtomicInteger();

  public final AtomicInteger signatures = new AtomicInteger();
  public final AtomicInteger reinitialisations = new AtomicInteger();

  /** Whether the token is there; while it is not, calls fail as SoftHSM's do. */
  public volatile boolean present = true;

  public volatile boolean keyPresent = true;

  /** When set, C_Sign waits for it. */
  public volatile @Nullable CountDownLatch hang;

  /** When set, C_OpenSession waits for it. */
  public volatile @Nullable CountDownLatch openHang;

  /** Which calls wait for {@link #hang}, by the octets that they are to sign: all. */
  public volatile IntPredicate hangs = octets -> true;

  /** Counted down as C_Sign is entered, when it is known whether the call waits. */
  public volatile CountDownLatch entered = new CountDownLatch(1);

  public FakeCryptoki(String label) {
    this.label = label;
  }

  /** The key as a caller knows it. */
  public KeyRef keyRef() {
    return new KeyRef(ID, SubjectPublicKeyInfo.of(key.getEncoded()));
  }

  /** Another key under the same CKA_ID. */
  public void replaceKey() {
    key = newKey();
  }

  /** As after a network cut: the sessions are gone, and with the last one the login. */
  public void forgetSessions() {
    open.clear();
    loggedIn = false;
  }

  /** The sessions live on, logged out. */
  public void forgetLogin() {
    loggedIn = false;
  }

  @Override
  public ModuleUsers users() {
    return users;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public long[] slotsWithToken() {
    return new long[] {SLOT};
  }

  @Override
  public String tokenLabel(long slot) {
    finds.incrementAndGet();
    checkPresent("C_GetTokenInfo");
    return label;
  }

  @Override
  public TokenInfo tokenInfo(long slot) {
    checkPresent("C_GetTokenInfo");
    return new TokenInfo(label, "Sluice", "fake", "");
  }

  @Override
  public SessionHandle openSession(long slot, boolean readWrite) {
    checkPresent("C_OpenSession");
    CountDownLatch wait = openHang;
    if (wait != null) {
      awaitUninterruptibly(wait);
    }
    Ckr failure = openFailures.poll();
    if (failure != null) {
      throw new CryptokiException("C_OpenSession", failure);
    }
    opens.incrementAndGet();
    long session = nextSession.getAndIncrement();
    open.add(session);
    return new SessionHandle(generation.get(), session);
  }

  @Override
  public void closeSession(SessionHandle session) {
    check("C_CloseSession", session);
    open.remove(session.value());
  }

  @Override
  public boolean isLoggedIn(SessionHandle session) {
    check("C_GetSessionInfo", session);
    return loggedIn;
  }

  @Override
  public void login(SessionHandle session, char[] pin) {
    check("C_Login", session);
    checkPresent("C_Login");
    logins.incrementAndGet();
    if (!new String(pin).equals(PIN)) {
      throw new CryptokiException("C_Login", Ckr.PIN_INCORRECT);
    }
    loggedIn = true;
  }

  @Override
  public long[] findObjects(SessionHandle session, List<Attribute> template, int max) {
    check("C_FindObjects", session);
    if (!present || !keyPresent) {
      return new long[0];
    }
    boolean isPrivate =
        template.stream()
            .anyMatch(a -> a.type() == Cka.CLASS && a.value().equals(Cka.CKO_PRIVATE_KEY));
    if (isPrivate && !loggedIn) {
      return new long[0];
    }
    return new long[] {isPrivate ? PRIVATE_KEY : PUBLIC_KEY};
  }

  @Override
  public Object attribute(SessionHandle session, long object, long type) {
    check("C_GetAttributeValue", session);
    if (type == Cka.KEY_TYPE) {
      return Cka.CKK_EC;
    }
    if (type == Cka.EC_PARAMS) {
      return HexFormat.of().parseHex("06082a8648ce3d030107");
    }
    // The uncompressed point ends the SubjectPublicKeyInfo.
    byte[] spki = key.getEncoded();
    byte[] point = new byte[65];
    System.arraycopy(spki, spki.length - 65, point, 0, 65);
    return point;
  }

  @Override
  public void generateKeyPair(
      SessionHandle session, long ckm, List<Attribute> publicKey, List<Attribute> privateKey) {
    throw new UnsupportedOperationException("ceremonies are tested on a real token");
  }

  @Override
  public void signInit(SessionHandle session, Mechanism mechanism, long privateKey) {
    check("C_SignInit", session);
    Ckr failure = signInitFault.get().orElseGet(signInitFailures::poll);
    if (failure != null) {
      throw new CryptokiException("C_SignInit", failure);
    }
    if (!present) {
      throw new CryptokiException("C_SignInit", Ckr.OBJECT_HANDLE_INVALID);
    }
    if (!loggedIn) {
      throw new CryptokiException("C_SignInit", Ckr.USER_NOT_LOGGED_IN);
    }
  }

  @Override
  public byte[] sign(SessionHandle session, byte[] data) {
    check("C_Sign", session);
    CountDownLatch wait = hang;
    entered.countDown();
    if (wait != null && hangs.test(data.length)) {
      awaitUninterruptibly(wait);
    }
    Ckr failure = signFailures.poll();
    if (failure != null) {
      throw new CryptokiException("C_Sign", failure);
    }
    signatures.incrementAndGet();
    return data.clone();
  }

  @Override
  public long generation() {
    return generation.get();
  }

  @Override
  public boolean reinitialise() {
    reinitialisations.incrementAndGet();
    generation.incrementAndGet();
    forgetSessions();
    return true;
  }

  private void check(String function, SessionHandle session) {
    if (session.generation() != generation.get() || !open.contains(session.value())) {
      throw new CryptokiException(function, Ckr.SESSION_HANDLE_INVALID);
    }
  }

  private void checkPresent(String function) {
    if (!present) {
      throw new CryptokiException(function, Ckr.GENERAL_ERROR);
    }
  }

  /** As a native call: no interrupt ends it. */
  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static ECPublicKey newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      PublicKey generated = generator.generateKeyPair().getPublic();
      return (ECPublicKey) generated;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
