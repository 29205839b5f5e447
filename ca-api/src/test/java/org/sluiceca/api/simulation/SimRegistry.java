package org.sluiceca.api.simulation;

import org.jspecify.annotations.Nullable;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.request.RequesterId;

/** The registry of the issuers and requesters that may still issue. */
final class SimRegistry implements RecoveryDecider.Registry {
  private @Nullable Long retiredAt;
  private final World world;

  SimRegistry(World world) {
    this.world = world;
  }

  void retireAt(long time) {
    retiredAt = time;
  }

  boolean isRetired() {
    Long at = retiredAt;
    return at != null && world.now() >= at;
  }

  @Override
  public boolean isKnownHere(Intent.Origin origin) {
    return true;
  }

  @Override
  public boolean isIssuerActive(Intent.Origin origin) {
    return !isRetired();
  }

  @Override
  public boolean isIssuerAsStored(Intent.Origin origin) {
    return true;
  }

  @Override
  public boolean isKeyCompromised(KeyFingerprint key, RequesterId requester) {
    return false;
  }

  @Override
  public boolean isRequesterAllowed(Intent.Origin origin) {
    return true;
  }
}
