package org.sluiceca.core.verify;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.sluiceca.core.x509.OctetString;

/** A message authentication code by a hash (RFC 2104). CPU-bound, never blocks; thread-safe. */
public enum Hmac {
  SHA256("HmacSHA256"),
  SHA384("HmacSHA384"),
  SHA512("HmacSHA512");

  private final String jcaName;

  Hmac(String jcaName) {
    this.jcaName = jcaName;
  }

  /**
   * Returns whether {@code code} is the whole code of {@code message} under {@code key}, in a time
   * that says nothing about where they differ.
   *
   * @param key one octet or more
   */
  public boolean verifies(OctetString key, OctetString message, OctetString code) {
    return MessageDigest.isEqual(of(key, message).octets(), code.octets());
  }

  /** Returns the code of {@code message} under {@code key}. */
  public OctetString of(OctetString key, OctetString message) {
    try {
      Mac mac = Mac.getInstance(jcaName);
      mac.init(new SecretKeySpec(key.octets(), jcaName));
      return OctetString.copyOf(mac.doFinal(message.octets()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + jcaName, e);
    }
  }
}
