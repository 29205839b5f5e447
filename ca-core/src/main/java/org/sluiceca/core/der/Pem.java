package org.sluiceca.core.der;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.core.x509.CsrDer;

/** Textual encoding (RFC 7468): one or more labelled blocks of base64. Thread-safe. */
public final class Pem {

  public static final String CERTIFICATE = "CERTIFICATE";
  public static final String CERTIFICATE_REQUEST = "CERTIFICATE REQUEST";
  public static final String PUBLIC_KEY = "PUBLIC KEY";

  /** RFC 7468 7: parsers may accept this older label of CERTIFICATE REQUEST. */
  private static final String NEW_CERTIFICATE_REQUEST = "NEW CERTIFICATE REQUEST";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** DER of a request starts with a SEQUENCE; PEM and base64 never do. */
  private static final byte SEQUENCE = 0x30;

  /** UTF-8's byte order mark, as text of one octet a character. */
  private static final String UTF_8_MARK = "\u00ef\u00bb\u00bf";

  private Pem() {}

  /**
   * Takes a CSR as DER, PEM (RFC 7468) or bare base64 of DER. Text may have lost its line ends, or
   * have them as the two characters {@code \\n}, and may be UTF-16 with a byte order mark, as
   * PowerShell writes files.
   */
  public static CsrDer request(byte[] octets) throws DerException {
    if (octets.length > 0 && octets[0] == SEQUENCE) {
      return CsrDer.of(octets);
    }
    String text = text(octets);
    return CsrDer.of(text.contains("-----BEGIN") ? read(CERTIFICATE_REQUEST, text) : base64(text));
  }

  /**
   * Returns the text that octets stand for: UTF-16 with a byte order mark, or an encoding that
   * contains ASCII. Line ends written as the two characters {@code \\n} become line ends.
   */
  public static String text(byte[] octets) {
    boolean isUtf16 =
        octets.length > 1
            && ((octets[0] == (byte) 0xFF && octets[1] == (byte) 0xFE)
                || (octets[0] == (byte) 0xFE && octets[1] == (byte) 0xFF));
    if (isUtf16) {
      return new String(octets, StandardCharsets.UTF_16); // Which takes the mark away.
    }
    String text = new String(octets, StandardCharsets.ISO_8859_1);
    String marked = text.startsWith(UTF_8_MARK) ? text.substring(UTF_8_MARK.length()) : text;
    // Base64 has no backslash.
    return marked.replace("\\r", "").replace("\\n", "\n");
  }

  /** Returns the block of {@code label} around {@code der}, ending in a newline. */
  public static String write(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + LINES.encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  /** Returns the contents of all blocks with {@code label}, in order; empty if there is none. */
  public static List<byte[]> readAll(String label, String text) throws DerException {
    List<byte[]> contents = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      String found = block.group(1);
      if (found.equals(label)
          || (label.equals(CERTIFICATE_REQUEST) && found.equals(NEW_CERTIFICATE_REQUEST))) {
        contents.add(base64(block.group(2)));
      }
    }
    return contents;
  }

  /** Reads the only block of {@code label}; none or a second one is an error. */
  public static byte[] read(String label, String text) throws DerException {
    List<byte[]> contents = readAll(label, text);
    if (contents.size() != 1) {
      throw new DerException(
          contents.isEmpty()
              ? String.format(
                  Locale.ROOT, "no PEM block %s: no base64 between its BEGIN and END lines", label)
              : String.format(
                  Locale.ROOT, "one PEM block %s wanted, found %d", label, contents.size()));
    }
    return contents.getFirst();
  }

  /** Decodes base64 with or without line breaks. */
  public static byte[] base64(String text) throws DerException {
    byte[] characters = text.getBytes(StandardCharsets.US_ASCII);
    int kept = 0;
    for (byte character : characters) {
      if (!isWhiteSpace(character)) {
        characters[kept++] = character;
      }
    }
    try {
      return Base64.getDecoder().decode(Arrays.copyOf(characters, kept));
    } catch (IllegalArgumentException e) {
      throw new DerException("malformed base64: neither DER nor PEM nor base64 of DER", e);
    }
  }

  private static boolean isWhiteSpace(byte character) {
    return character == ' ' || (character >= '\t' && character <= '\r');
  }
}
