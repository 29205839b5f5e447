package org.sluiceca.core.plan.lint;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;

/** Times are UTCTime through 2049 and GeneralizedTime from 2050, in whole seconds of Zulu. */
final class ValidityEncodingLint extends Lint {

  /** Month, day, hour, minute, second. */
  private static final int OTHER_DIGITS = 10;

  ValidityEncodingLint() {
    super("validity_encoding", "RFC 5280 4.1.2.5.1, 4.1.2.5.2", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    return fault(planned.raw().notBefore(), planned.tbs().validity().notBefore())
        .or(() -> fault(planned.raw().notAfter(), planned.tbs().validity().notAfter()));
  }

  private static Optional<String> fault(DerElement time, Instant expected) {
    int yearDigits = time.is(DerElement.UTC_TIME) ? 2 : 4;
    byte[] text = time.contents();
    if (!time.is(DerElement.UTC_TIME) && !time.is(DerElement.GENERALIZED_TIME)) {
      return Optional.of(String.format(Locale.ROOT, "a time of tag %02x", time.tag()));
    }
    if (text.length != yearDigits + OTHER_DIGITS + 1 || text[text.length - 1] != 'Z') {
      return Optional.of("a time that is not whole seconds of Zulu");
    }
    int[] numbers = new int[1 + OTHER_DIGITS / 2];
    for (int i = 0; i < text.length - 1; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return Optional.of("a time with a sign, a fraction or a letter");
      }
      int number = i < yearDigits ? 0 : 1 + (i - yearDigits) / 2;
      numbers[number] = 10 * numbers[number] + text[i] - '0';
    }
    int year = numbers[0];
    if (yearDigits == 2) {
      year += year < 50 ? 2000 : 1900;
    } else if (year < 2050) {
      return Optional.of("GeneralizedTime before 2050");
    }
    try {
      Instant read =
          LocalDateTime.of(year, numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
              .toInstant(ZoneOffset.UTC);
      return read.equals(expected)
          ? Optional.empty()
          : Optional.of(String.format(Locale.ROOT, "two readers see %s and %s", read, expected));
    } catch (DateTimeException e) {
      return Optional.of("a malformed time");
    }
  }
}
