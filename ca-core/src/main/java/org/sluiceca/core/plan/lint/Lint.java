package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.der.DerException;

/** One rule about a planned certificate. Stateless. */
abstract class Lint {

  /** When RFC 5280 was published. */
  static final LocalDate RFC_5280 = LocalDate.of(2008, 5, 1);

  private final String name;
  private final String citation;
  private final LocalDate effective;

  Lint(String name, String citation, LocalDate effective) {
    this.name = name;
    this.citation = citation;
    this.effective = effective;
  }

  /** Returns what is wrong, or empty. A part that does not parse is wrong too. */
  abstract Optional<String> fault(PlannedCertificate planned)
      throws DerException, MalformedException;

  /** Returns the name that a rejection carries: lower case, words joined by {@code _}. */
  final String name() {
    return name;
  }

  /** Returns the document and section that demand the rule. */
  final String citation() {
    return citation;
  }

  /** Returns the day from which the rule holds. */
  final LocalDate effective() {
    return effective;
  }
}
