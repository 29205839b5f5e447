package org.sluiceca.hsm.pkcs11;

import java.util.List;
import org.sluiceca.hsm.Mechanism;

/**
 * The PKCS#11 functions that signing needs, of one loaded and initialised module.
 *
 * <p>Every method may block for as long as the token likes and cannot be interrupted: call from
 * platform threads only, never while holding a lock that a request needs. Thread-safe, but a
 * session belongs to one thread at a time. A function that does not return CKR_OK is thrown as
 * {@link CryptokiException}; a session of an earlier generation as CKR_SESSION_HANDLE_INVALID.
 */
public interface Cryptoki {
  /**
   * The part of CK_TOKEN_INFO that distinguishes a token, without the padding.
   *
   * @param serialNumber of the manufacturer's choice; some leave it empty
   */
  record TokenInfo(String label, String manufacturer, String model, String serialNumber) {}

  /** How the module is called in messages and lock files: its path without links. */
  String name();

  /** Who works with tokens of this module, the same for as long as it is loaded. */
  ModuleUsers users();

  /** C_GetSlotList: slots in which a token is present. */
  long[] slotsWithToken();

  /** C_GetTokenInfo: the token's label without the padding. */
  String tokenLabel(long slot);

  /** C_GetTokenInfo: what distinguishes the token from others. */
  TokenInfo tokenInfo(long slot);

  /** C_OpenSession, serial; {@code readWrite} for making keys. */
  SessionHandle openSession(long slot, boolean readWrite);

  /** C_CloseSession. */
  void closeSession(SessionHandle session);

  /** C_GetSessionInfo: whether the application is logged in to the token as user. */
  boolean isLoggedIn(SessionHandle session);

  /** C_Login as CKU_USER. The array is not kept. */
  void login(SessionHandle session, char[] pin);

  /** C_FindObjectsInit, C_FindObjects, C_FindObjectsFinal: at most {@code max} handles. */
  long[] findObjects(SessionHandle session, List<Attribute> template, int max);

  /** C_GetAttributeValue of one attribute: {@code Boolean}, {@code Long} or {@code byte[]}. */
  Object attribute(SessionHandle session, long object, long type);

  /** C_GenerateKeyPair; the mechanism takes no parameter. */
  void generateKeyPair(
      SessionHandle session, long ckm, List<Attribute> publicKey, List<Attribute> privateKey);

  /** C_SignInit. */
  void signInit(SessionHandle session, Mechanism mechanism, long key);

  /** C_Sign: ends the operation that {@link #signInit} began, whatever it returns. */
  byte[] sign(SessionHandle session, byte[] data);

  /** C_SignInit and C_Sign: the exception shows which of them failed. */
  default byte[] sign(SessionHandle session, Mechanism mechanism, long key, byte[] data) {
    signInit(session, mechanism, key);
    return sign(session, data);
  }

  /** The module's current life; handles of an earlier one are dead. */
  long generation();

  /**
   * A new life of the module: all its sessions, logins and handles are gone afterwards.
   *
   * <p>In this process: C_Finalize and C_Initialize, if no other call is running in the module at
   * this moment: both are process-wide, and C_Finalize under a running call crashes some modules. A
   * call that never returns therefore forbids it permanently.
   *
   * <p>In a process of its own: calls that run get half a second, then the process is killed and
   * replaced; they end with CKR_CRYPTOKI_NOT_INITIALIZED. Blocks for up to 30 s.
   *
   * @return false when a call was running and nothing was done
   * @throws org.sluiceca.hsm.HsmException when there is no new process
   */
  boolean reinitialise();
}
