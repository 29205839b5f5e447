package org.sluiceca.api.ocsp;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The responder of each issuer: of the registered certificates for the key that this node knows,
 * the newest that is valid. Thread-safe.
 */
public final class Responders {

  private static final Logger LOG = LoggerFactory.getLogger(Responders.class);

  private final Supplier<List<RegisteredResponder>> registered;
  private final Map<IssuerName, OctetString> keys;
  private final InstantSource clock;
  private final Set<IssuerName> missed = ConcurrentHashMap.newKeySet();
  private volatile Map<IssuerName, Responder> current = Map.of();

  /**
   * Starts without responders; {@link #refresh} reads those that are registered.
   *
   * @param registered reads the rows, newest first
   * @param keys the subjectPublicKeyInfo of each issuer's responder; one that is registered with
   *     another key counts after a restart
   */
  public Responders(
      Supplier<List<RegisteredResponder>> registered,
      Map<IssuerName, OctetString> keys,
      InstantSource clock) {
    this.registered = registered;
    this.keys = Map.copyOf(keys);
    this.clock = clock;
  }

  /** Reads the registered responders. Blocks as the store does. */
  public void refresh() {
    Instant now = clock.instant();
    Map<IssuerName, Responder> found = new HashMap<>();
    for (RegisteredResponder row : registered.get()) {
      if (!found.containsKey(row.issuer())
          && Optional.ofNullable(keys.get(row.issuer()))
              .filter(row.subjectPublicKeyInfo()::equals)
              .isPresent()) {
        try {
          Responder responder = Responder.of(row.issuer(), row.certificate());
          if (isValid(responder, now)) {
            found.put(row.issuer(), responder);
          }
        } catch (DerException e) {
          LOG.error("a registered OCSP responder of {} is bad: {}", row.issuer(), e.fault());
        }
      }
    }
    current = Map.copyOf(found);
  }

  /** Returns the responder that signs for an issuer now; logs once that there is none. */
  public Optional<Responder> find(IssuerName issuer) {
    Optional<Responder> responder =
        Optional.ofNullable(current.get(issuer)).filter(r -> isValid(r, clock.instant()));
    if (responder.isEmpty() && missed.add(issuer)) {
      LOG.warn(
          "OCSP is asked about issuer {}, which has no valid responder: ceremony ocsp-responder",
          issuer);
    }
    return responder;
  }

  /** Returns all that sign now. */
  public Collection<Responder> all() {
    return current.values();
  }

  private static boolean isValid(Responder responder, Instant now) {
    return now.isBefore(responder.validity().notAfter())
        && !now.isBefore(responder.validity().notBefore());
  }
}
