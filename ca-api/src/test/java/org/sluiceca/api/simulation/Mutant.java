package org.sluiceca.api.simulation;

import java.util.Optional;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.issuance.store.commit.SteppedLedgerStore.Commit;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.time.Deadline;

/**
 * One way in which the line or the database's rules could be wrong, around the real code. Where a
 * method is not overridden, everything is right.
 */
class Mutant {

  /** Nothing is wrong. */
  static final Mutant NONE = new Mutant();

  /** Finishes an intent and gives its place back. */
  @FunctionalInterface
  interface Finishing {
    Optional<Finish> finish(Acceptance.Accepted accepted, Deadline answerBy);
  }

  /** From which seed on it is looked for. */
  int firstSeed() {
    return 1;
  }

  SimDatabase database(World world) {
    return new SimDatabase(world);
  }

  Commit commit(Commit real, SimNode node) {
    return real;
  }

  LedgerStore store(LedgerStore real, SimNode node) {
    return real;
  }

  IssuerSigner signer(IssuerSigner real, SimNode node) {
    return real;
  }

  EventSink events(EventSink real, SimNode node) {
    return real;
  }

  PostSignCheck postSignCheck(PostSignCheck real) {
    return real;
  }

  RecoveryDecider.Registry registry(SimRegistry real, World world) {
    return real;
  }

  Acceptance accept(Enrollment line, EnrollmentRequest request, Deadline deadline) {
    return line.accept(request, deadline);
  }

  Finishing finishing(Finishing real, SimNode node) {
    return real;
  }
}
