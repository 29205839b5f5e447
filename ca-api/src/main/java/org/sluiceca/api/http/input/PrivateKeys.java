package org.sluiceca.api.http.input;

import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import org.sluiceca.core.der.Pem;

/**
 * Recognizes private keys by their first octets, without reading the key: PEM of any kind (RFC 7468
 * 10 and 11, and what OpenSSL, OpenSSH and PGP write), and DER or its base64 of PKCS#8 (RFC 5958),
 * PKCS#1 (RFC 8017 A.1.2), SEC 1 (RFC 5915) and PKCS#12 (RFC 7292). Pure.
 */
final class PrivateKeys {

  private static final Pattern PEM = Pattern.compile("BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY");

  /** No key that is read here needs more than its headers: 4 for each of two, and an INTEGER. */
  private static final int HEAD_OCTETS = 16;

  /** Of base64: 300 octets, behind the algorithm of an encrypted key. */
  private static final int HEAD_CHARACTERS = 400;

  private static final int SEQUENCE = 0x30;
  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int LONG_FORM = 0x80;

  /** The versions of PKCS#8 and PKCS#1 are 0 or 1, of SEC 1 is 1, of PKCS#12 is 3. */
  private static final int VERSION_MAX = 3;

  private PrivateKeys() {}

  /** Returns whether {@code octets} hold a private key. */
  static boolean isIn(byte[] octets) {
    if (octets.length > 0 && octets[0] == SEQUENCE) {
      return isKey(octets);
    }
    // As the parser reads it; without NUL also UTF-16 that lacks its byte order mark.
    String text = Pem.text(octets).replace("\0", "");
    return PEM.matcher(text).find() || isKey(base64(text));
  }

  /** The first octets of what may be base64; none if it is not. */
  private static byte[] base64(String text) {
    byte[] head = new byte[Math.min(text.length(), HEAD_CHARACTERS)];
    int count = 0;
    for (int i = 0; i < text.length() && count < head.length; i++) {
      char character = text.charAt(i);
      if (isBase64(character)) {
        head[count++] = (byte) character;
      } else if (!Character.isWhitespace(character)) {
        // Most bodies are JSON, of which the decoder would make an exception.
        return new byte[0];
      }
    }
    try {
      return Base64.getDecoder().decode(Arrays.copyOf(head, count));
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static boolean isBase64(char character) {
    return (character >= 'A' && character <= 'Z')
        || (character >= 'a' && character <= 'z')
        || (character >= '0' && character <= '9')
        || character == '+'
        || character == '/'
        || character == '=';
  }

  private static boolean isKey(byte[] der) {
    int content = content(der, 0);
    if (der.length < HEAD_OCTETS || der[0] != SEQUENCE || content < 0) {
      return false;
    }
    if (der[content] == INTEGER) {
      // A request, a certificate and a CRL begin with a SEQUENCE; a public key with a long INTEGER.
      return der[content + 1] == 1 && der[content + 2] >= 0 && der[content + 2] <= VERSION_MAX;
    }
    return isEncrypted(der, content);
  }

  /** EncryptedPrivateKeyInfo (RFC 5958 3): an algorithm of PKCS#5 or PKCS#12, then octets. */
  private static boolean isEncrypted(byte[] der, int algorithm) {
    int first = content(der, algorithm);
    if (der[algorithm] != SEQUENCE
        || first < 0
        || first >= der.length
        || der[first] != OBJECT_IDENTIFIER) {
      return false;
    }
    int end = first + der[algorithm + 1];
    // A public key has a BIT STRING there.
    return end > first && end < der.length && der[end] == OCTET_STRING;
  }

  /** Where the content of an element begins; -1 if its length is no DER. */
  private static int content(byte[] der, int at) {
    if (at + 2 >= der.length) {
      return -1;
    }
    int length = der[at + 1] & 0xFF;
    int start = at + 2 + (length > LONG_FORM ? length - LONG_FORM : 0);
    return length == LONG_FORM || start + 2 >= der.length ? -1 : start;
  }
}
