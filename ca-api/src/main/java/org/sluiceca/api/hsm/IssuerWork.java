package org.sluiceca.api.hsm;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;

/**
 * Where a certificate is signed, and what it costs the tokens there by the kind of its issuer's
 * key, of the cheapest kind among the active issuers 1: for admission. Thread-safe; a look-up, but
 * once a second, when it asks the tokens, which takes microseconds.
 */
public final class IssuerWork {

  /** A moving average moves a little in it. */
  private static final long KEPT_NANOS = 1_000_000_000L;

  /** Of EC and RSA-4096 in software it is 60. A wild measurement must not bar a requester. */
  private static final double COST_MAX = 64;

  private final ProfileCatalog profiles;
  private final Map<KeyName, KeyRef> keys;
  private final Map<KeyName, SignatureClass> classes;
  private final SigningPools pools;
  private final ToLongBiFunction<KeyRef, Mechanism> costNanos;
  private final Ticker ticker;
  private volatile @Nullable Known known;

  private record Known(Map<SignatureClass, Double> costs, long untilNanos) {}

  /**
   * Asks for each of {@code keys}.
   *
   * @param keys of the active issuers
   * @param costNanos what a signature takes of a token's engines, 0 if unknown; must return at once
   */
  public IssuerWork(
      ProfileCatalog profiles,
      Map<KeyName, KeyRef> keys,
      SigningPools pools,
      ToLongBiFunction<KeyRef, Mechanism> costNanos,
      Ticker ticker) {
    this.profiles = profiles;
    this.pools = pools;
    this.keys = Map.copyOf(keys);
    this.classes =
        keys.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey,
                    e -> HsmIssuerSigner.signatureClass(e.getValue().publicKey())));
    this.costNanos = costNanos;
    this.ticker = ticker;
  }

  /**
   * Returns what a certificate under this profile asks for. Of one that no requester may use, which
   * is unknown or the ceremony's, anything: it is refused for that, whether or not a token has the
   * key, which of an offline root's none has.
   */
  public SigningCost of(ProfileName profile) {
    return profiles
        .find(profile)
        .filter(p -> p.use() != CertificateProfile.Use.CEREMONY)
        .map(p -> of(p.issuer()))
        .orElseGet(() -> new SigningCost(pools.any(), 1));
  }

  /**
   * Returns what a certificate of this issuer asks for: a cost of 1 to 64, 1 while it is unknown.
   */
  public SigningCost of(IssuerName issuer) {
    KeyName key = KeyName.of(issuer);
    SignatureClass signatureClass = classes.get(key);
    double cost = signatureClass == null ? 1 : costs().getOrDefault(signatureClass, 1.0);
    return new SigningCost(pools.of(key), cost);
  }

  private Map<SignatureClass, Double> costs() {
    Known last = known;
    long now = ticker.nanoTime();
    if (last == null || now - last.untilNanos >= 0) {
      // Two threads that meet here find the same.
      last = new Known(measured(), now + KEPT_NANOS);
      known = last;
    }
    return last.costs;
  }

  private Map<SignatureClass, Double> measured() {
    Map<SignatureClass, Long> nanos = new HashMap<>();
    for (SignatureClass kind : Set.copyOf(classes.values())) {
      nanos(kind).ifPresent(known -> nanos.put(kind, known));
    }
    long cheapest = nanos.values().stream().mapToLong(Long::longValue).min().orElse(1);
    return nanos.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, e -> Math.min(COST_MAX, e.getValue() / (double) cheapest)));
  }

  /** By kind, not by key: where there is one kind all cost 1, in whatever tokens they are. */
  private Optional<Long> nanos(SignatureClass kind) {
    return classes.entrySet().stream()
        .filter(e -> e.getValue().equals(kind))
        .map(e -> Objects.requireNonNull(keys.get(e.getKey())))
        .map(key -> costNanos.applyAsLong(key, kind.mechanism()))
        .filter(n -> n > 0)
        .min(Comparator.naturalOrder());
  }
}
