package org.sluiceca.api.issuer.service;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.IssuingKeyStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;

/**
 * Puts issuers into service and out of it; each act is in the audit trail before it is done. Makes
 * no key and no certificate: those come from the ceremony. Who may ask is the caller's to know.
 * Thread-safe; every method blocks, for some seconds at most, and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the database does not answer: the
 * act may have been done then, and asking again is safe.
 */
public final class IssuerAdministration {

  private final Stores stores;
  private final SignatureVerifier verifier;
  private final InstantSource clock;
  private final Predicate<IssuerName> nodes;
  private final AuditTrail trail;
  private final Runnable changed;

  /** Where issuers and their keys stand. */
  public record Stores(IssuerStore issuers, IssuingKeyStore keys) {}

  /**
   * Acts upon {@code stores}.
   *
   * @param nodes whether this node enrolls for itself under an issuer; must not block
   * @param changed called after each act; may block for a read
   */
  public IssuerAdministration(
      Stores stores,
      SignatureVerifier verifier,
      InstantSource clock,
      Predicate<IssuerName> nodes,
      AuditTrail trail,
      Runnable changed) {
    this.stores = stores;
    this.verifier = verifier;
    this.clock = clock;
    this.nodes = nodes;
    this.trail = trail;
    this.changed = changed;
  }

  /** Judges another issuer, and does nothing. */
  public IssuerAnswer judgeInstall(IssuerName name, List<CertificateDer> certificates) {
    Optional<RegisteredIssuer> present = stores.issuers().find(name);
    if (present.isPresent()) {
      return present.get().certificates().equals(certificates)
              && present.get().state() == State.ACTIVE
          ? new IssuerAnswer.Standing(name, false)
          : new IssuerAnswer.Contradicted("an issuer has this name");
    }
    try {
      IssuerChain chain = IssuerChain.of(certificates, verifier, clock.instant());
      Optional<String> fault = IssuerRules.ofAnother(chain, stores.issuers().list());
      if (fault.isPresent()) {
        return new IssuerAnswer.Invalid(fault.get());
      }
      return stores
          .keys()
          .find(name, chain.publicKey())
          .<IssuerAnswer>map(
              key -> new IssuerAnswer.Ready(new IssuerWish.Install(name, chain, key)))
          .orElseGet(
              () ->
                  new IssuerAnswer.Invalid(
                      "its key is none that the ceremony has recorded for an issuer "
                          + name
                          + " (ceremony issuing-key with the database)"));
    } catch (IllegalArgumentException e) {
      return new IssuerAnswer.Invalid(String.valueOf(e.getMessage()));
    }
  }

  /** Judges another certificate of an issuer, and does nothing. */
  public IssuerAnswer judgeRenewal(IssuerName name, List<CertificateDer> certificates) {
    Optional<RegisteredIssuer> found = stores.issuers().find(name);
    if (found.isEmpty()) {
      return new IssuerAnswer.Unknown("unknown issuer");
    }
    RegisteredIssuer present = found.get();
    if (present.state() != State.ACTIVE) {
      return new IssuerAnswer.Contradicted("it is retired");
    }
    if (present.certificates().equals(certificates)) {
      return new IssuerAnswer.Standing(name, false);
    }
    try {
      IssuerChain chain = IssuerChain.of(certificates, verifier, clock.instant());
      return IssuerRules.ofRenewal(present, chain)
          .or(() -> IssuerRules.ofRenewalOverTheNetwork(present, chain))
          .<IssuerAnswer>map(IssuerAnswer.Invalid::new)
          .orElseGet(() -> new IssuerAnswer.Ready(new IssuerWish.Renew(present, chain)));
    } catch (IllegalArgumentException e) {
      return new IssuerAnswer.Invalid(String.valueOf(e.getMessage()));
    }
  }

  /** Judges a retirement, and does nothing. */
  public IssuerAnswer judgeRetirement(IssuerName name) {
    Optional<RegisteredIssuer> found = stores.issuers().find(name);
    if (found.isEmpty()) {
      return new IssuerAnswer.Unknown("unknown issuer");
    }
    if (found.get().state() == State.RETIRED) {
      return new IssuerAnswer.Standing(name, false);
    }
    if (found.get().chain().isEmpty()) {
      return new IssuerAnswer.Contradicted("a root issues by the ceremony alone");
    }
    if (nodes.test(name)) {
      return new IssuerAnswer.Contradicted(
          "nodes enroll under it for themselves: give their profile tls-server another issuer first");
    }
    return new IssuerAnswer.Ready(new IssuerWish.Retire(name));
  }

  /** Does what judging found nothing against, unless another was faster. */
  public IssuerAnswer carryOut(IssuerWish wish, RequesterId by) {
    IssuerAnswer answer =
        switch (wish) {
          case IssuerWish.Install install -> install(install, by);
          case IssuerWish.Renew renew -> renew(renew, by);
          case IssuerWish.Retire retire -> retire(retire, by);
        };
    changed.run();
    return answer;
  }

  private IssuerAnswer install(IssuerWish.Install wish, RequesterId by) {
    record(AuditKind.ISSUER_INSTALL, wish, by);
    boolean isDone =
        stores
            .issuers()
            .insertBy(
                new IssuerStore.NewIssuer(
                    wish.name(),
                    wish.chain().publicKey(),
                    wish.certificates().getFirst(),
                    wish.certificates().subList(1, wish.certificates().size()),
                    wish.key()),
                by,
                others -> IssuerRules.ofAnother(wish.chain(), others).isEmpty());
    // Another may have been faster, with the same or not.
    return isDone
        ? new IssuerAnswer.Standing(wish.name(), true)
        : judgeInstall(wish.name(), wish.certificates());
  }

  private IssuerAnswer renew(IssuerWish.Renew wish, RequesterId by) {
    record(AuditKind.ISSUER_RENEW, wish, by);
    if (stores.issuers().renew(wish.present(), wish.certificates(), by.value())) {
      return new IssuerAnswer.Standing(wish.name(), true);
    }
    return judgeRenewal(wish.name(), wish.certificates()) instanceof IssuerAnswer.Standing standing
        ? standing
        : new IssuerAnswer.Contradicted("another act was faster: look what it is, and ask again");
  }

  private IssuerAnswer retire(IssuerWish.Retire wish, RequesterId by) {
    trail.recordDurably(
        new Fact(AuditKind.ISSUER_RETIRE, by.value(), Map.of("issuer", wish.name().value())));
    if (stores.issuers().retireUnlessLast(wish.name())) {
      return new IssuerAnswer.Standing(wish.name(), true);
    }
    return judgeRetirement(wish.name()) instanceof IssuerAnswer.Standing standing
        ? standing
        : new IssuerAnswer.Contradicted("it is the last active issuer");
  }

  private void record(AuditKind kind, IssuerWish.Certified wish, RequesterId by) {
    Map<String, Object> details = new HashMap<>();
    details.put("issuer", wish.name().value());
    details.put("sha256", digests(wish.certificates()));
    trail.recordDurably(new Fact(kind, by.value(), details));
  }

  /** Returns the SHA-256 of each, in lower-case hexadecimal. */
  public static List<String> digests(List<CertificateDer> certificates) {
    return certificates.stream().map(c -> Digest.sha256(c.encoded()).toString()).toList();
  }
}
