package org.sluiceca.hsm.pkcs11;

/** The attribute types, object classes and key types used here (PKCS#11 v3.1 pkcs11t.h). */
public final class Cka {
  public static final long CLASS = 0x000;
  public static final long TOKEN = 0x001;
  public static final long PRIVATE = 0x002;
  public static final long LABEL = 0x003;
  public static final long KEY_TYPE = 0x100;
  public static final long ID = 0x102;
  public static final long SENSITIVE = 0x103;
  public static final long DECRYPT = 0x105;
  public static final long UNWRAP = 0x107;
  public static final long SIGN = 0x108;
  public static final long SIGN_RECOVER = 0x109;
  public static final long VERIFY = 0x10A;
  public static final long DERIVE = 0x10C;
  public static final long MODULUS = 0x120;
  public static final long MODULUS_BITS = 0x121;
  public static final long PUBLIC_EXPONENT = 0x122;
  public static final long EXTRACTABLE = 0x162;
  public static final long NEVER_EXTRACTABLE = 0x164;
  public static final long ALWAYS_SENSITIVE = 0x165;
  public static final long EC_PARAMS = 0x180;
  public static final long EC_POINT = 0x181;

  /** CKO_PUBLIC_KEY, a value of CLASS. */
  public static final long CKO_PUBLIC_KEY = 2;

  /** CKO_PRIVATE_KEY, a value of CLASS. */
  public static final long CKO_PRIVATE_KEY = 3;

  /** CKK_RSA, a value of KEY_TYPE. */
  public static final long CKK_RSA = 0x00;

  /** CKK_EC, a value of KEY_TYPE. */
  public static final long CKK_EC = 0x03;

  /** CKK_EC_EDWARDS, a value of KEY_TYPE. */
  public static final long CKK_EC_EDWARDS = 0x40;

  private Cka() {}
}
