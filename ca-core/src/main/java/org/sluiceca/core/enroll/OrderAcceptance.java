package org.sluiceca.core.enroll;

import org.sluiceca.core.intent.Intent;

/** What {@link Enrollment#order} came to. */
public sealed interface OrderAcceptance permits Acceptance, OrderAcceptance.Ordered {

  /** A durable promise in the backlog, which whoever takes it from there keeps. */
  record Ordered(Intent intent) implements OrderAcceptance {}
}
