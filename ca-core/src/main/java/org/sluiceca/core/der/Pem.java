package org.sluiceca.core.der;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
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
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----\\s([A-Za-z0-9+/=\\s]*+)-----END \\1-----");
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** DER of a request starts with a SEQUENCE; PEM and base64 never do. */
  private static final byte SEQUENCE = 0x30;

  private Pem() {}

  /** Takes a CSR as DER, PEM (RFC 7468) or bare base64 of DER. */
  public static CsrDer request(byte[] octets) throws DerException {
    if (octets.length > 0 && octets[0] == SEQUENCE) {
      return CsrDer.of(octets);
    }
    String text = new String(octets, StandardCharsets.ISO_8859_1);
    return CsrDer.of(text.contains("-----BEGIN") ? read(CERTIFICATE_REQUEST, text) : base64(text));
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
      throw new DerException("expected one PEM block " + label + ", found " + contents.size());
    }
    return contents.getFirst();
  }

  /** Decodes base64 with or without line breaks. */
  public static byte[] base64(String text) throws DerException {
    try {
      return Base64.getDecoder()
          .decode(text.replaceAll("\\s", "").getBytes(StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw new DerException("malformed base64", e);
    }
  }
}
