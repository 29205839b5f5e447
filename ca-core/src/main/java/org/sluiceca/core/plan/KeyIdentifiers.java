package org.sluiceca.core.plan;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** Derives key identifiers (RFC 7093 2, method 1: the leftmost 160 bits of SHA-256). */
public final class KeyIdentifiers {

  private static final int OCTETS = 20;

  private KeyIdentifiers() {}

  /** Returns the identifier of {@code key}, hashed over the subjectPublicKey's bits. */
  public static OctetString of(SubjectPublicKeyInfo key) {
    byte[] hash = sha256().digest(PublicKeyReader.subjectPublicKey(key).octets());
    return OctetString.copyOf(Arrays.copyOf(hash, OCTETS));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
