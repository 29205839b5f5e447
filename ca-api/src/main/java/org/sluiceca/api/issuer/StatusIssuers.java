package org.sluiceca.api.issuer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.issuer.ActiveIssuers.PublicSide;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.hsm.KeyRef;

/**
 * The issuers whose certificates relying parties may ask about: those that issue, and retired ones
 * until their own end, which none of their certificates outlives. Only what reports revocation
 * works with it: in the place of {@link ActiveIssuers} it would let a retired issuer issue.
 *
 * @param catalog all of them
 * @param retired those among them that issue no more
 * @param keys the key of each
 */
public record StatusIssuers(
    IssuerCatalog catalog, List<Issuer> retired, Map<KeyName, KeyRef> keys) {

  public StatusIssuers {
    retired = List.copyOf(retired);
    keys = Map.copyOf(keys);
  }

  /**
   * Adds the retired ones to those that issue.
   *
   * @param registered the database's rows
   * @throws IllegalStateException if a certificate does not parse
   */
  public static StatusIssuers of(
      List<RegisteredIssuer> registered, ActiveIssuers active, PublicSide publicSide, Instant now) {
    List<Issuer> retired = new ArrayList<>();
    Map<KeyName, KeyRef> keys = new HashMap<>(active.keys());
    for (RegisteredIssuer row : registered) {
      if (row.state() == RegisteredIssuer.State.ACTIVE) {
        continue;
      }
      Issuer issuer = ActiveIssuers.issuer(row, publicSide);
      if (issuer.validity().notAfter().isAfter(now)) {
        retired.add(issuer);
        keys.put(KeyName.of(row.name()), ActiveIssuers.key(row, issuer));
      }
    }
    List<Issuer> all = new ArrayList<>(active.catalog().all());
    all.addAll(retired);
    return new StatusIssuers(new IssuerCatalog(all), retired, keys);
  }

  /**
   * Returns those that OCSP requests can tell apart: of several with one name and key the one that
   * issues.
   */
  public Collection<Issuer> distinct() {
    Map<List<Object>, Issuer> distinct = new HashMap<>();
    for (Issuer issuer : catalog.all()) {
      List<Object> hashed = List.of(issuer.subject(), issuer.subjectPublicKeyInfo());
      if (!retired.contains(issuer) || !distinct.containsKey(hashed)) {
        distinct.put(hashed, issuer);
      }
    }
    return distinct.values();
  }
}
