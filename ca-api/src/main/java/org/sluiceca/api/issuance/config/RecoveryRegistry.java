package org.sluiceca.api.issuance.config;

import org.sluiceca.api.auth.oidc.StandingGrants;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.tls.NodeTls;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.stereotype.Component;

/** Asks the registries again before a left-over intent is signed. */
@Component
final class RecoveryRegistry implements RecoveryDecider.Registry {

  private final ActiveIssuers here;
  private final TokenGroup tokens;
  private final ProfileCatalog profiles;
  private final IssuerStore issuers;
  private final StandingGrants grants;
  private final CompromisedKeyStore compromised;

  RecoveryRegistry(
      ActiveIssuers here,
      TokenGroup tokens,
      ProfileCatalog profiles,
      IssuerStore issuers,
      StandingGrants grants,
      CompromisedKeyStore compromised) {
    this.here = here;
    this.tokens = tokens;
    this.profiles = profiles;
    this.issuers = issuers;
    this.grants = grants;
    this.compromised = compromised;
  }

  @Override
  public boolean isKnownHere(Intent.Origin origin) {
    KeyRef key = here.keys().get(KeyName.of(origin.issuer()));
    return key != null && tokens.holds(key) && isProfileKnown(origin);
  }

  /** A profile that no longer issues is known as long as the version of the intent is. */
  private boolean isProfileKnown(Intent.Origin origin) {
    return profiles.find(origin.profile()).isPresent()
        || (origin.profileVersion().isPresent()
            && profiles.find(origin.profile(), origin.profileVersion().getAsInt()).isPresent());
  }

  @Override
  public boolean isIssuerActive(Intent.Origin origin) {
    return issuers
        .find(origin.issuer())
        .filter(i -> i.state() == RegisteredIssuer.State.ACTIVE)
        .isPresent();
  }

  @Override
  public boolean isIssuerAsStored(Intent.Origin origin) {
    return here.catalog()
        .find(origin.issuer())
        .map(Issuer::chain)
        .equals(issuers.find(origin.issuer()).map(RegisteredIssuer::certificates));
  }

  @Override
  public boolean isKeyCompromised(KeyFingerprint key, RequesterId requester) {
    return compromised.contains(key, requester);
  }

  /**
   * A requester is allowed while an administrator's grant of the profile stands: a credential may
   * have expired since, and the holder of a certificate renews it without any.
   */
  @Override
  public boolean isRequesterAllowed(Intent.Origin origin) {
    if (origin.requester().equals(NodeTls.NODE.id())) {
      return NodeTls.NODE.profiles().contains(origin.profile());
    }
    return grants.test(origin.requester(), origin.profile());
  }
}
