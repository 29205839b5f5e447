package org.sluiceca.hsm;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The ways to sign, each one PKCS#11 mechanism fed with the form of the message that it wants.
 *
 * <p>The digest is made here: the token then signs a few dozen bytes whatever the message is, at
 * the same cost as the mechanisms that hash inside (CKM_SHA256_RSA_PKCS and its like).
 */
public enum Mechanism {
  /** CKM_RSA_PKCS over the DigestInfo of RFC 8017 9.2. */
  RSA_PKCS1_SHA256(Ckm.RSA_PKCS, "SHA-256", "3031300d060960864801650304020105000420"),
  /** CKM_RSA_PKCS over the DigestInfo of RFC 8017 9.2. */
  RSA_PKCS1_SHA384(Ckm.RSA_PKCS, "SHA-384", "3041300d060960864801650304020205000430"),
  /** CKM_RSA_PKCS_PSS over the digest; MGF1 with SHA-256, a salt of 32 bytes (RFC 4055 3.1). */
  RSA_PSS_SHA256(Ckm.RSA_PKCS_PSS, "SHA-256", ""),
  /** CKM_ECDSA over the digest; the result is r || s, not DER. */
  ECDSA_SHA256(Ckm.ECDSA, "SHA-256", ""),
  /** CKM_ECDSA over the digest; the result is r || s, not DER. */
  ECDSA_SHA384(Ckm.ECDSA, "SHA-384", ""),
  /** CKM_ECDSA over the digest; the result is r || s, not DER. */
  ECDSA_SHA512(Ckm.ECDSA, "SHA-512", ""),
  /** CKM_EDDSA over the message itself: PureEdDSA hashes it twice (RFC 8032 5.1.6). */
  ED25519(Ckm.EDDSA, "", "");

  /** Mechanism codes of PKCS#11 v3.1, in a holder because enum constants come first. */
  private static final class Ckm {
    static final long RSA_PKCS = 0x00000001L;
    static final long RSA_PKCS_PSS = 0x0000000DL;
    static final long ECDSA = 0x00001041L;
    static final long EDDSA = 0x00001057L;
  }

  private final long ckm;
  private final String digest;

  // Never written, never handed out.
  @SuppressWarnings("ImmutableEnumChecker")
  private final byte[] prefix;

  Mechanism(long ckm, String digest, String prefixHex) {
    this.ckm = ckm;
    this.digest = digest;
    this.prefix = HexFormat.of().parseHex(prefixHex);
  }

  /** The CKM_ code handed to C_SignInit. */
  public long ckm() {
    return ckm;
  }

  /** The kind of key that signs so, as in names: {@code rsa}, {@code ec} or {@code ed}. */
  public String keyKind() {
    return switch (this) {
      case RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PSS_SHA256 -> "rsa";
      case ECDSA_SHA256, ECDSA_SHA384, ECDSA_SHA512 -> "ec";
      case ED25519 -> "ed";
    };
  }

  /** Whether C_SignInit takes CK_RSA_PKCS_PSS_PARAMS. */
  public boolean isPss() {
    return ckm == Ckm.RSA_PKCS_PSS;
  }

  /** Whether the token is given a digest and not the message. */
  public boolean isDigested() {
    return !digest.isEmpty();
  }

  /** What C_Sign is given for this message: the message, its digest, or its DigestInfo. */
  public byte[] tokenInput(byte[] message) {
    if (digest.isEmpty()) {
      return message.clone();
    }
    byte[] hash = newDigest().digest(message);
    if (prefix.length == 0) {
      return hash;
    }
    byte[] digestInfo = new byte[prefix.length + hash.length];
    System.arraycopy(prefix, 0, digestInfo, 0, prefix.length);
    System.arraycopy(hash, 0, digestInfo, prefix.length, hash.length);
    return digestInfo;
  }

  private MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + digest, e);
    }
  }
}
