package org.sluiceca.hsm.pkcs11;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import iaik.pkcs.pkcs11.DefaultInitializeArgs;
import iaik.pkcs.pkcs11.Module;
import iaik.pkcs.pkcs11.TokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Mechanism;
import sun.security.pkcs11.wrapper.CK_ATTRIBUTE;
import sun.security.pkcs11.wrapper.CK_MECHANISM;
import sun.security.pkcs11.wrapper.CK_RSA_PKCS_PSS_PARAMS;
import sun.security.pkcs11.wrapper.CK_TOKEN_INFO;
import sun.security.pkcs11.wrapper.PKCS11;
import sun.security.pkcs11.wrapper.PKCS11Exception;

/** A PKCS#11 library loaded into this process through the IAIK wrapper (docs/adr/0002). */
public final class WrapperCryptoki implements Cryptoki {
  /*
   * A library can be initialised only once per process, so there is one object per file, whatever
   * links lead to it. Each native call passes its gate.
   */

  private static final ConcurrentMap<Path, Loading> LOADED = new ConcurrentHashMap<>();

  /** A library of this process. Its own lock: one that hangs when loaded holds up no other. */
  private static final class Loading {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable WrapperCryptoki loaded;

    WrapperCryptoki load(Path path, Path file) {
      lock.lock();
      try {
        WrapperCryptoki found = loaded;
        if (found == null) {
          found = new WrapperCryptoki(path, file, initialise(path));
          loaded = found;
        }
        return found;
      } finally {
        lock.unlock();
      }
    }
  }

  private static final long CKF_RW_SESSION = 0x2;
  private static final long CKF_SERIAL_SESSION = 0x4;
  private static final long CKU_USER = 1;
  private static final long CKS_RO_USER_FUNCTIONS = 1;
  private static final long CKS_RW_USER_FUNCTIONS = 3;

  private final Path path;
  private final Path file;
  private final PKCS11 pkcs11;
  private final ModuleUsers users = new ModuleUsers();
  private final ModuleGate gate = new ModuleGate();

  private WrapperCryptoki(Path path, Path file, PKCS11 pkcs11) {
    this.path = path;
    this.file = file;
    this.pkcs11 = pkcs11;
  }

  /**
   * The library at this path, loaded and initialised with CKF_OS_LOCKING_OK on first use.
   *
   * @throws HsmException.ModuleMissing when the file is missing, is no PKCS#11 library or does not
   *     initialise
   */
  public static WrapperCryptoki load(Path library) {
    Path file = file(library);
    // Loaded by the path that was given: a library may look for others next to that.
    Path path = library.toAbsolutePath().normalize();
    return LOADED.computeIfAbsent(file, _ -> new Loading()).load(path, file);
  }

  /**
   * Returns the library's file, without links.
   *
   * @throws HsmException.ModuleMissing when there is none
   */
  public static Path file(Path library) {
    try {
      if (Files.isRegularFile(library)) {
        return library.toRealPath();
      }
    } catch (IOException e) {
      throw new HsmException.ModuleMissing("no PKCS#11 module at " + library + ": " + e);
    }
    throw new HsmException.ModuleMissing("no PKCS#11 module at " + library);
  }

  private static PKCS11 initialise(Path path) {
    try {
      Module module = Module.getInstance(path.toString());
      DefaultInitializeArgs arguments = new DefaultInitializeArgs();
      arguments.setOsLockingOk(true);
      module.initialize(arguments);
      return module.getPKCS11Module();
    } catch (IOException | TokenException e) {
      throw new HsmException.ModuleMissing(
          "the PKCS#11 module " + path + " cannot be loaded: " + e.getMessage());
    }
  }

  /**
   * Returns a class of the wrapper library, whose jar is needed to start a process for a module.
   */
  public static Class<?> wrapperLibrary() {
    return Module.class;
  }

  @Override
  public ModuleUsers users() {
    return users;
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public long[] slotsWithToken() {
    return gate.call("C_GetSlotList", null, () -> pkcs11.C_GetSlotList(true));
  }

  @Override
  public String tokenLabel(long slot) {
    return gate.call(
        "C_GetTokenInfo",
        null,
        () -> new String(pkcs11.C_GetTokenInfo(slot).label).stripTrailing());
  }

  @Override
  public TokenInfo tokenInfo(long slot) {
    return gate.call(
        "C_GetTokenInfo",
        null,
        () -> {
          CK_TOKEN_INFO info = pkcs11.C_GetTokenInfo(slot);
          return new TokenInfo(
              new String(info.label).stripTrailing(),
              new String(info.manufacturerID).stripTrailing(),
              new String(info.model).stripTrailing(),
              new String(info.serialNumber).stripTrailing());
        });
  }

  @Override
  public SessionHandle openSession(long slot, boolean readWrite) {
    long flags = readWrite ? CKF_SERIAL_SESSION | CKF_RW_SESSION : CKF_SERIAL_SESSION;
    return gate.call(
        "C_OpenSession",
        null,
        () -> new SessionHandle(gate.generation(), pkcs11.C_OpenSession(slot, flags, null, null)));
  }

  @Override
  public void closeSession(SessionHandle session) {
    gate.run("C_CloseSession", session, () -> pkcs11.C_CloseSession(session.value()));
  }

  @Override
  public boolean isLoggedIn(SessionHandle session) {
    long state =
        gate.call(
            "C_GetSessionInfo", session, () -> pkcs11.C_GetSessionInfo(session.value()).state);
    return state == CKS_RO_USER_FUNCTIONS || state == CKS_RW_USER_FUNCTIONS;
  }

  @Override
  public void login(SessionHandle session, char[] pin) {
    gate.run("C_Login", session, () -> pkcs11.C_Login(session.value(), CKU_USER, pin));
  }

  @Override
  public long[] findObjects(SessionHandle session, List<Attribute> template, int max) {
    return gate.call(
        "C_FindObjects",
        session,
        () -> {
          pkcs11.C_FindObjectsInit(session.value(), attributes(template));
          try {
            return pkcs11.C_FindObjects(session.value(), max);
          } finally {
            pkcs11.C_FindObjectsFinal(session.value());
          }
        });
  }

  @Override
  public Object attribute(SessionHandle session, long object, long type) {
    CK_ATTRIBUTE[] wanted = {new CK_ATTRIBUTE(type)};
    gate.run(
        "C_GetAttributeValue",
        session,
        () -> pkcs11.C_GetAttributeValue(session.value(), object, wanted));
    Object value = wanted[0].pValue;
    return value != null ? value : new byte[0];
  }

  @Override
  public void generateKeyPair(
      SessionHandle session, long ckm, List<Attribute> publicKey, List<Attribute> privateKey) {
    gate.run(
        "C_GenerateKeyPair",
        session,
        () ->
            pkcs11.C_GenerateKeyPair(
                session.value(),
                new CK_MECHANISM(ckm),
                attributes(publicKey),
                attributes(privateKey)));
  }

  @Override
  public void signInit(SessionHandle session, Mechanism mechanism, long key) {
    CK_MECHANISM native11 = new CK_MECHANISM(mechanism.ckm());
    if (mechanism.isPss()) {
      native11.setParameter(new CK_RSA_PKCS_PSS_PARAMS("SHA-256", "MGF1", "SHA-256", 32));
    }
    gate.run("C_SignInit", session, () -> pkcs11.C_SignInit(session.value(), native11, key));
  }

  @Override
  public byte[] sign(SessionHandle session, byte[] data) {
    return gate.call("C_Sign", session, () -> pkcs11.C_Sign(session.value(), data));
  }

  @Override
  public long generation() {
    return gate.generation();
  }

  @Override
  public boolean reinitialise() {
    return gate.alone(
        () -> {
          // First, so that no handle of the old life is used even if the module stays finalised.
          gate.beginGeneration();
          try {
            pkcs11.C_Finalize(null);
          } catch (PKCS11Exception e) {
            // Not initialised: an earlier restart got no further than this.
            if (e.getErrorCode() != Ckr.CRYPTOKI_NOT_INITIALIZED.code()) {
              throw new CryptokiException("C_Finalize", new Ckr(e.getErrorCode()));
            }
          }
          NativeInitialize.call(path);
        });
  }

  /**
   * C_Finalize, if no other call is running: the last thing a process does with the module, so that
   * an HSM need not wait for lost sessions to expire. What it returns changes nothing any more.
   */
  public void finalise() {
    boolean _ =
        gate.alone(
            () -> {
              try {
                pkcs11.C_Finalize(null);
              } catch (PKCS11Exception e) {
                // The process ends either way.
                return;
              }
            });
  }

  private static CK_ATTRIBUTE[] attributes(List<Attribute> template) {
    return template.stream()
        .map(a -> new CK_ATTRIBUTE(a.type(), a.value()))
        .toArray(CK_ATTRIBUTE[]::new);
  }
}
