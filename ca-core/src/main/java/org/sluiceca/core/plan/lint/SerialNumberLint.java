package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** The serial number is positive, at most 20 octets, and names the week of notAfter. */
final class SerialNumberLint implements Lint {

  @Override
  public String name() {
    return "serial_number";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.1.2.2";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    byte[] octets = planned.tbs().serialNumber().octets();
    if (octets.length > 20) {
      return Optional.of("serialNumber of " + octets.length + " octets");
    }
    if (octets[0] < 0 || (octets.length == 1 && octets[0] == 0)) {
      return Optional.of("serialNumber not positive");
    }
    ExpiryWeek week = ExpiryWeek.of(planned.tbs().validity().notAfter());
    if (!SerialNumber.of(octets).expiryWeek().equals(week)) {
      return Optional.of("serialNumber names another week than notAfter");
    }
    return Optional.empty();
  }
}
