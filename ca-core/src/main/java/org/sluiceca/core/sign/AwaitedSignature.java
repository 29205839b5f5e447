package org.sluiceca.core.sign;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.OctetString;

/** A signature that the thread that waits for it makes, of a signer that can do no better. */
final class AwaitedSignature implements PendingSignature {

  private final IssuerSigner signer;
  private @Nullable Signable signable;
  private @Nullable SignSchedule schedule;

  AwaitedSignature(IssuerSigner signer) {
    this.signer = signer;
  }

  @Override
  public void start(Signable wanted, SignSchedule wantedBy) {
    signable = wanted;
    schedule = wantedBy;
  }

  @Override
  public boolean isUnderWay() {
    return false;
  }

  @Override
  public void abandon() {
    // No other thread makes it.
  }

  @Override
  public Optional<OctetString> await(Deadline until) {
    if (signable == null || schedule == null) {
      throw new IllegalStateException("awaited before it was started");
    }
    return Optional.of(signer.sign(signable, schedule));
  }
}
