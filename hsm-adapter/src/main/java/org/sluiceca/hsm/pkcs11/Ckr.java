package org.sluiceca.hsm.pkcs11;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;

/**
 * A PKCS#11 return value (CK_RV).
 *
 * @param code the value, 0 for CKR_OK
 */
public record Ckr(long code) {
  public static final Ckr SLOT_ID_INVALID = new Ckr(0x03);
  public static final Ckr GENERAL_ERROR = new Ckr(0x05);
  public static final Ckr FUNCTION_FAILED = new Ckr(0x06);
  public static final Ckr DEVICE_ERROR = new Ckr(0x30);
  public static final Ckr DEVICE_REMOVED = new Ckr(0x32);
  public static final Ckr KEY_HANDLE_INVALID = new Ckr(0x60);
  public static final Ckr MECHANISM_INVALID = new Ckr(0x70);
  public static final Ckr OBJECT_HANDLE_INVALID = new Ckr(0x82);
  public static final Ckr OPERATION_ACTIVE = new Ckr(0x90);
  public static final Ckr PIN_INCORRECT = new Ckr(0xA0);
  public static final Ckr PIN_LOCKED = new Ckr(0xA4);
  public static final Ckr SESSION_CLOSED = new Ckr(0xB0);
  public static final Ckr SESSION_HANDLE_INVALID = new Ckr(0xB3);
  public static final Ckr TOKEN_NOT_PRESENT = new Ckr(0xE0);
  public static final Ckr USER_ALREADY_LOGGED_IN = new Ckr(0x100);
  public static final Ckr USER_NOT_LOGGED_IN = new Ckr(0x101);
  public static final Ckr CRYPTOKI_NOT_INITIALIZED = new Ckr(0x190);

  /** PKCS#11 v3.1 pkcs11t.h: the values that the functions used here may return. */
  private static final Map<Long, String> NAMES =
      Map.ofEntries(
          entry(0x00L, "CKR_OK"),
          entry(0x01L, "CKR_CANCEL"),
          entry(0x02L, "CKR_HOST_MEMORY"),
          entry(0x03L, "CKR_SLOT_ID_INVALID"),
          entry(0x05L, "CKR_GENERAL_ERROR"),
          entry(0x06L, "CKR_FUNCTION_FAILED"),
          entry(0x07L, "CKR_ARGUMENTS_BAD"),
          entry(0x0AL, "CKR_CANT_LOCK"),
          entry(0x10L, "CKR_ATTRIBUTE_READ_ONLY"),
          entry(0x11L, "CKR_ATTRIBUTE_SENSITIVE"),
          entry(0x12L, "CKR_ATTRIBUTE_TYPE_INVALID"),
          entry(0x13L, "CKR_ATTRIBUTE_VALUE_INVALID"),
          entry(0x20L, "CKR_DATA_INVALID"),
          entry(0x21L, "CKR_DATA_LEN_RANGE"),
          entry(0x30L, "CKR_DEVICE_ERROR"),
          entry(0x31L, "CKR_DEVICE_MEMORY"),
          entry(0x32L, "CKR_DEVICE_REMOVED"),
          entry(0x40L, "CKR_ENCRYPTED_DATA_INVALID"),
          entry(0x50L, "CKR_FUNCTION_CANCELED"),
          entry(0x54L, "CKR_FUNCTION_NOT_SUPPORTED"),
          entry(0x60L, "CKR_KEY_HANDLE_INVALID"),
          entry(0x62L, "CKR_KEY_SIZE_RANGE"),
          entry(0x63L, "CKR_KEY_TYPE_INCONSISTENT"),
          entry(0x68L, "CKR_KEY_FUNCTION_NOT_PERMITTED"),
          entry(0x70L, "CKR_MECHANISM_INVALID"),
          entry(0x71L, "CKR_MECHANISM_PARAM_INVALID"),
          entry(0x82L, "CKR_OBJECT_HANDLE_INVALID"),
          entry(0x90L, "CKR_OPERATION_ACTIVE"),
          entry(0x91L, "CKR_OPERATION_NOT_INITIALIZED"),
          entry(0xA0L, "CKR_PIN_INCORRECT"),
          entry(0xA1L, "CKR_PIN_INVALID"),
          entry(0xA2L, "CKR_PIN_LEN_RANGE"),
          entry(0xA3L, "CKR_PIN_EXPIRED"),
          entry(0xA4L, "CKR_PIN_LOCKED"),
          entry(0xB0L, "CKR_SESSION_CLOSED"),
          entry(0xB1L, "CKR_SESSION_COUNT"),
          entry(0xB3L, "CKR_SESSION_HANDLE_INVALID"),
          entry(0xB5L, "CKR_SESSION_READ_ONLY"),
          entry(0xD0L, "CKR_TEMPLATE_INCOMPLETE"),
          entry(0xD1L, "CKR_TEMPLATE_INCONSISTENT"),
          entry(0xE0L, "CKR_TOKEN_NOT_PRESENT"),
          entry(0xE1L, "CKR_TOKEN_NOT_RECOGNIZED"),
          entry(0xE2L, "CKR_TOKEN_WRITE_PROTECTED"),
          entry(0x100L, "CKR_USER_ALREADY_LOGGED_IN"),
          entry(0x101L, "CKR_USER_NOT_LOGGED_IN"),
          entry(0x102L, "CKR_USER_PIN_NOT_INITIALIZED"),
          entry(0x103L, "CKR_USER_TYPE_INVALID"),
          entry(0x104L, "CKR_USER_ANOTHER_ALREADY_LOGGED_IN"),
          entry(0x130L, "CKR_DOMAIN_PARAMS_INVALID"),
          entry(0x140L, "CKR_CURVE_NOT_SUPPORTED"),
          entry(0x150L, "CKR_BUFFER_TOO_SMALL"),
          entry(0x190L, "CKR_CRYPTOKI_NOT_INITIALIZED"),
          entry(0x191L, "CKR_CRYPTOKI_ALREADY_INITIALIZED"),
          entry(0x200L, "CKR_FUNCTION_REJECTED"),
          entry(0x202L, "CKR_OPERATION_CANCEL_FAILED"));

  /** The standard's name, or the number where it has none. */
  @Override
  public String toString() {
    String name = NAMES.get(code);
    return name != null ? name : String.format(Locale.ROOT, "CKR 0x%08X", code);
  }
}
