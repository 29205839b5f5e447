package org.sluiceca.core.fuzz;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.syntax.UriNames;

/** Any text as PEM, base64, DNS name, URI and key blocklist. */
public final class TextFuzz {

  private TextFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    pem(text);
    if (DnsNames.isHostName(text) || DnsNames.isWildcard(text)) {
      Promise.require(text.matches("[*A-Za-z0-9.-]{1,253}"), "a DNS name of other characters");
      Promise.require(
          Arrays.stream(text.split("\\.", -1)).allMatch(l -> !l.isEmpty() && l.length() < 64),
          "a DNS name with an invalid label");
    }
    if (UriNames.isAbsoluteUri(text)) {
      Promise.require(
          URI.create(text).isAbsolute() && URI.create(text).getRawUserInfo() == null,
          "a URI with a user");
    }
    try {
      Promise.require(KeyBlocklist.parse(text.lines().iterator()).size() >= 0, "a list's size");
    } catch (IllegalArgumentException e) {
      Promise.require(
          e.getMessage() != null && e.getMessage().contains("blocklist"), "a blunt word");
    }
  }

  private static void pem(String text) {
    try {
      for (byte[] der : Pem.readAll(Pem.CERTIFICATE_REQUEST, text)) {
        String again = Pem.write(Pem.CERTIFICATE_REQUEST, der);
        List<byte[]> read = Pem.readAll(Pem.CERTIFICATE_REQUEST, again);
        Promise.require(
            read.size() == 1 && Arrays.equals(read.getFirst(), der), "PEM that does not come back");
      }
    } catch (DerException e) {
      Promise.require(!e.fault().isBlank(), "a fault without a word");
    }
    try {
      Pem.base64(text);
    } catch (DerException e) {
      Promise.require(!e.fault().isBlank(), "a fault without a word");
    }
  }
}
