package org.sluiceca.core.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * The issuers of this CA, by name. Which there are never changes; one that issues can be retired,
 * for good. Thread-safe.
 */
public final class IssuerCatalog {

  private final Map<String, Issuer> byName = new TreeMap<>();
  private final Set<IssuerName> retired = ConcurrentHashMap.newKeySet();

  /**
   * Collects the issuers.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public IssuerCatalog(Collection<Issuer> issuers) {
    for (Issuer issuer : issuers) {
      if (byName.put(issuer.name().value(), issuer) != null) {
        throw new IllegalArgumentException("two issuers named " + issuer.name());
      }
    }
  }

  /** Returns the issuer with this name. */
  public Optional<Issuer> find(IssuerName name) {
    return Optional.ofNullable(byName.get(name.value()));
  }

  /** Returns the issuer with this name, unless nothing new may be issued under it. */
  public Optional<Issuer> findIssuing(IssuerName name) {
    return find(name).filter(issuer -> !retired.contains(name));
  }

  /** Has nothing planned under these any more. Names of no issuer here are remembered alike. */
  public void retire(Collection<IssuerName> names) {
    retired.addAll(names);
  }

  /** Returns the public key of the issuer that signs with the key of this name. */
  public Optional<SubjectPublicKeyInfo> publicKey(KeyName key) {
    return Optional.ofNullable(byName.get(key.value())).map(Issuer::subjectPublicKeyInfo);
  }

  /** Returns all issuers in the order of their names. */
  public Collection<Issuer> all() {
    return Collections.unmodifiableCollection(byName.values());
  }
}
