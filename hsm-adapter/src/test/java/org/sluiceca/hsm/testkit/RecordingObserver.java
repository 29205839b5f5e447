package org.sluiceca.hsm.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignOutcome;

/** Records what was reported to it. */
public final class RecordingObserver implements HsmObserver {
  public final List<SignOutcome> outcomes = new CopyOnWriteArrayList<>();
  public final List<RecoveryReason> recoveries = new CopyOnWriteArrayList<>();
  public final List<HsmState> states = new CopyOnWriteArrayList<>();

  public final List<String> notes = new CopyOnWriteArrayList<>();

  @Override
  public void noted(String line) {
    notes.add(line);
  }

  @Override
  public void signed(SignObservation signing) {
    outcomes.add(signing.outcome());
  }

  @Override
  public void recovered(RecoveryReason reason) {
    recoveries.add(reason);
  }

  @Override
  public void stateChanged(HsmState state) {
    states.add(state);
  }
}
