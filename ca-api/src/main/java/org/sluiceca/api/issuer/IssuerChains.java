package org.sluiceca.api.issuer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * The certificates from each issuer up to its trust anchor, in the forms that answers have: written
 * once an issuer, not once a certificate. Thread-safe; does not block.
 */
public final class IssuerChains {

  private final IssuerCatalog issuers;
  private final JsonMapper json;

  // A chain is the same in every answer; one of a retired issuer is replaced with its issuer.
  private final Map<IssuerName, Chain> chains = new ConcurrentHashMap<>();

  /**
   * One chain.
   *
   * @param issuer of whom it is; null if this node does not have the issuer, and the chain is empty
   * @param pem the issuer's own certificate first, the trust anchor last
   * @param json {@code pem} as an array of strings
   */
  public record Chain(@Nullable Issuer issuer, List<String> pem, RawValue json) {

    public Chain {
      pem = List.copyOf(pem);
    }
  }

  /** Writes the chains of {@code issuers}. */
  public IssuerChains(IssuerCatalog issuers, JsonMapper json) {
    this.issuers = issuers;
    this.json = json;
  }

  /** Returns the chain of an issuer; an empty one if this node does not have the issuer. */
  public Chain of(IssuerName name) {
    Optional<Issuer> issuer = issuers.find(name);
    if (issuer.isEmpty()) {
      return chain(null, List.of());
    }
    Chain known = chains.get(name);
    if (known == null || !issuer.get().equals(known.issuer())) {
      known = chain(issuer.get(), issuer.get().chain().stream().map(IssuerChains::pem).toList());
      chains.put(name, known);
    }
    return known;
  }

  private Chain chain(@Nullable Issuer issuer, List<String> pem) {
    return new Chain(issuer, pem, new RawValue(new SerializedString(json.writeValueAsString(pem))));
  }

  private static String pem(CertificateDer certificate) {
    return Pem.write(Pem.CERTIFICATE, certificate.encoded());
  }
}
