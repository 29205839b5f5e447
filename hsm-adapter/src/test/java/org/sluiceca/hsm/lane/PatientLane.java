package org.sluiceca.hsm.lane;

import java.time.Duration;
import org.sluiceca.hsm.settings.HsmSettings;

/** Lanes for tests of what wakes their session threads. */
public final class PatientLane {

  private PatientLane() {}

  /** An empty lane whose session threads wait for an hour, unless a signal wakes them. */
  public static SigningLane of(HsmSettings settings) {
    return new SigningLane(settings, Duration.ofHours(1), Duration.ofHours(1));
  }
}
