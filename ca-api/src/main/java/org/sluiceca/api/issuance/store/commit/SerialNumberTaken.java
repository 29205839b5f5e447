package org.sluiceca.api.issuance.store.commit;

/** The serial number of {@code row} stands for another intent: roll back and go on without it. */
public final class SerialNumberTaken extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient IntentRow row;

  public SerialNumberTaken(IntentRow row) {
    super("serial number " + row.serialNumber() + " is taken", null, false, false);
    this.row = row;
  }

  /** Returns the row that cannot be written. */
  public IntentRow row() {
    return row;
  }
}
