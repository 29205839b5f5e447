package org.sluiceca.api.issuance.store;

import org.sluiceca.api.issuance.store.commit.IntentRow;

/** The serial number of {@code row} stands for another intent: roll back and go on without it. */
public final class SerialNumberTaken extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient IntentRow row;

  public SerialNumberTaken(IntentRow row) {
    super("serial number " + row.serialNumber() + " is taken", null, false, false);
    this.row = row;
  }

  IntentRow row() {
    return row;
  }
}
