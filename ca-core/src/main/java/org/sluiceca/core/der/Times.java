package org.sluiceca.core.der;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.bouncycastle.asn1.ASN1Primitive;

/**
 * Time as certificates have it (RFC 5280 4.1.2.5): UTCTime through 2049, GeneralizedTime from 2050,
 * whole seconds, Zulu. The library's own conversions go through SimpleDateFormat, which costs more
 * than the rest of the structure together.
 */
final class Times {

  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;

  // RFC 5280 4.1.2.5.1: YY of 50 and more is 19YY.
  private static final int UTC_TIME_YEAR_MIN = 1950;
  private static final int GENERALIZED_TIME_YEAR_MIN = 2050;
  private static final int YEAR_MAX = 9999;

  private Times() {}

  /** Encodes whole seconds of the years 1950 to 9999; a fraction is dropped. */
  static byte[] encode(Instant instant) {
    int year = LocalDateTime.ofInstant(instant, ZoneOffset.UTC).getYear();
    return encode(instant, year < GENERALIZED_TIME_YEAR_MIN);
  }

  /** Encodes a GeneralizedTime of whole seconds, whatever the year (RFC 5280 5.3.2). */
  static byte[] encodeGeneralized(Instant instant) {
    return encode(instant, false);
  }

  /** Writes what {@link #encodeGeneralized} encodes (also RFC 6960 4.2.2.1). */
  static ASN1Primitive generalized(Instant instant) throws IOException {
    return ASN1Primitive.fromByteArray(encodeGeneralized(instant));
  }

  private static byte[] encode(Instant instant, boolean isShort) {
    LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    int year = time.getYear();
    if (year < UTC_TIME_YEAR_MIN || year > YEAR_MAX) {
      throw new IllegalArgumentException("no Time of the year " + year);
    }
    StringBuilder text = new StringBuilder(15);
    if (!isShort) {
      two(text, year / 100);
    }
    two(text, year % 100);
    two(text, time.getMonthValue());
    two(text, time.getDayOfMonth());
    two(text, time.getHour());
    two(text, time.getMinute());
    two(text, time.getSecond());
    byte[] contents = text.append('Z').toString().getBytes(StandardCharsets.US_ASCII);
    byte[] der = new byte[2 + contents.length];
    der[0] = (byte) (isShort ? UTC_TIME : GENERALIZED_TIME);
    der[1] = (byte) contents.length;
    System.arraycopy(contents, 0, der, 2, contents.length);
    return der;
  }

  /** Reads a Time in whole seconds of Zulu, by either of the two types (RFC 5280 4.1.2.5). */
  static Instant read(byte[] der) throws DerException {
    if (der[0] != UTC_TIME && der[0] != GENERALIZED_TIME) {
      throw new DerException("time of another type");
    }
    boolean isShort = der[0] == UTC_TIME;
    int digits = isShort ? 12 : 14;
    if (der.length != 2 + digits + 1 || der[der.length - 1] != 'Z') {
      throw new DerException("time not in whole seconds of Zulu");
    }
    for (int i = 2; i < 2 + digits; i++) {
      if (der[i] < '0' || der[i] > '9') {
        throw new DerException("time with something else than digits");
      }
    }
    int at = 2;
    int year = two(der, at);
    if (isShort) {
      year += year >= UTC_TIME_YEAR_MIN % 100 ? 1900 : 2000;
    } else {
      at += 2;
      year = year * 100 + two(der, at);
    }
    try {
      return LocalDateTime.of(
              year,
              two(der, at + 2),
              two(der, at + 4),
              two(der, at + 6),
              two(der, at + 8),
              two(der, at + 10))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new DerException("no such time", e);
    }
  }

  private static void two(StringBuilder text, int value) {
    text.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
  }

  private static int two(byte[] digits, int at) {
    return (digits[at] - '0') * 10 + digits[at + 1] - '0';
  }
}
