package org.sluiceca.api.ocsp;

import java.io.ByteArrayOutputStream;
import java.util.Base64;

/**
 * Decodes the request in a path (RFC 6960 A.1): base64, which clients escape wholly (RFC 5019 5),
 * in part or not at all.
 */
final class PathRequest {

  private static final byte[] NONE = {};

  private PathRequest() {}

  /**
   * Returns the DER; nothing, which is no request, for what is no base64.
   *
   * @param path the raw path behind that of the responder, its first slash included
   */
  static byte[] decode(String path) {
    // Some clients end the responder's URI with a slash of their own. No DER begins like that one.
    int start = 0;
    while (start < path.length() && path.charAt(start) == '/') {
      start++;
    }
    try {
      return Base64.getDecoder().decode(unescaped(path, start));
    } catch (IllegalArgumentException e) {
      return NONE;
    }
  }

  private static byte[] unescaped(String path, int start) {
    ByteArrayOutputStream text = new ByteArrayOutputStream(path.length());
    for (int i = start; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%') {
        if (i + 2 >= path.length()) {
          throw new IllegalArgumentException("a broken escape");
        }
        text.write(
            Character.digit(path.charAt(i + 1), 16) << 4 | Character.digit(path.charAt(i + 2), 16));
        i += 2;
      } else {
        text.write(c < 0x80 ? c : 0);
      }
    }
    return text.toByteArray();
  }
}
