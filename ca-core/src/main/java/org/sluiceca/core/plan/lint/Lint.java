package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.der.DerException;

/** One rule about a planned certificate. Stateless. */
interface Lint {

  /** Returns the name that a rejection carries: lower case, words joined by {@code _}. */
  String name();

  /** Returns the document and section that demand the rule. */
  String citation();

  /** Returns the day from which the rule holds. */
  LocalDate effective();

  /** Returns what is wrong, or empty. A part that does not parse is wrong too. */
  Optional<String> fault(PlannedCertificate planned) throws DerException, MalformedException;
}
