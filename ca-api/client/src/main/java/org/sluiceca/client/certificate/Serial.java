package org.sluiceca.client.certificate;

import java.util.Locale;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;

/** Serial numbers as openssl, Java or a browser print them. */
final class Serial {
  /** RFC 5280 4.1.2.2: at most 20 octets. */
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{1,40}");

  private Serial() {}

  /** Lower-case hexadecimal digits, as the service takes them. */
  static String of(String text) {
    String serial = text.toLowerCase(Locale.ROOT).strip();
    serial = serial.startsWith("serial=") ? serial.substring("serial=".length()) : serial;
    serial = serial.startsWith("0x") ? serial.substring(2) : serial;
    serial = serial.replace(":", "").replace(" ", "");
    if (!HEX.matcher(serial).matches()) {
      throw Failure.usage("'" + text + "' is not a serial number in hexadecimal");
    }
    return serial;
  }
}
