package org.sluiceca.api.revocation.crl;

import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;

/**
 * Which CRLs of nodes relying parties may ask for, whether they are there already or not.
 *
 * @param shards over how many CRLs new certificates of each issuer are spread
 * @param hasDeltas whether there are delta CRLs
 */
public record OfferedCrls(IssuerCatalog issuers, int shards, boolean hasDeltas) {

  boolean isOffered(CrlName name) {
    int shard = name.scope().shard();
    return issuers.find(name.scope().issuer()).filter(issuer -> !isRoot(issuer)).isPresent()
        && (shard == 0 || (shards > 1 && shard <= shards))
        && (hasDeltas || !name.isDelta());
  }

  /** Its CRL comes from a ceremony, whole and at no time that a node could tell. */
  private static boolean isRoot(Issuer issuer) {
    return issuer.chain().size() == 1;
  }
}
