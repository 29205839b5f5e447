package org.sluiceca.core.plan.lint;

import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The serial number is of this CA's layout, so positive and short, and names the week of notAfter.
 */
final class SerialNumberLint extends Lint {

  SerialNumberLint() {
    super("serial_number", "RFC 5280 4.1.2.2", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    byte[] octets = planned.tbs().serialNumber().octets();
    SerialNumber serialNumber;
    ExpiryWeek week;
    try {
      serialNumber = SerialNumber.of(octets);
      week = ExpiryWeek.of(planned.tbs().validity().notAfter());
    } catch (IllegalArgumentException e) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "serialNumber of %d octets, or notAfter, is not of this CA's kind",
              octets.length));
    }
    return serialNumber.expiryWeek().equals(week)
        ? Optional.empty()
        : Optional.of("serialNumber names another week than notAfter");
  }
}
