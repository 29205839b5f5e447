package org.sluiceca.api.ledger;

/** The serial number of {@code row} stands for another intent: roll back and go on without it. */
final class SerialNumberTaken extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient IntentRow row;

  SerialNumberTaken(IntentRow row) {
    super("serial number " + row.serialNumber() + " is taken", null, false, false);
    this.row = row;
  }

  IntentRow row() {
    return row;
  }
}
