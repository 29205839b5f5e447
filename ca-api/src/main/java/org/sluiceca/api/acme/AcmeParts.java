package org.sluiceca.api.acme;

import java.time.InstantSource;
import org.sluiceca.api.acme.account.service.AcmeAccounts;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.nonce.Nonces;
import org.sluiceca.api.acme.order.AcmeOrders;
import org.sluiceca.api.acme.revocation.AcmeRevocations;
import org.sluiceca.api.acme.signed.SignedRequests;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.registration.Registration;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.verify.SignatureVerifier;

/** What the routes of ACME are made of. */
public final class AcmeParts {

  /** Where accounts, bindings and requests are. */
  public record Stores(
      AccountStore accounts, BindingStore bindings, PostgresRequestStore requests) {}

  /** What decides about certificates. */
  public record Ca(Registration registration, Ledger ledger, Revoker revoker) {}

  private final AcmeUrls urls;
  private final AcmeEndpoints endpoints;
  private final Nonces nonces;
  private final SignedRequests requests;
  private final AcmeAccounts accounts;
  private final AcmeOrders orders;
  private final AcmeRevocations revocations;
  private final CertificateAnswer certificates;

  /**
   * Builds them.
   *
   * @param service {@code https://host:port}, the base of every URL
   */
  public AcmeParts(
      String service,
      AcmeEndpoints endpoints,
      Nonces nonces,
      Stores stores,
      Ca ca,
      SignatureVerifier verifier,
      AuditTrail trail,
      CertificateAnswer certificates) {
    InstantSource clock = InstantSource.system();
    this.urls = new AcmeUrls(service);
    this.endpoints = endpoints;
    this.nonces = nonces;
    this.requests = new SignedRequests(urls, nonces, stores.accounts(), verifier);
    this.accounts =
        new AcmeAccounts(urls, stores.accounts(), stores.bindings(), requests, trail, clock);
    this.orders = new AcmeOrders(urls, stores.requests(), ca.registration(), trail, clock);
    this.revocations = new AcmeRevocations(ca.ledger(), stores.requests(), ca.revoker(), trail);
    this.certificates = certificates;
  }

  AcmeUrls urls() {
    return urls;
  }

  AcmeEndpoints endpoints() {
    return endpoints;
  }

  Nonces nonces() {
    return nonces;
  }

  SignedRequests requests() {
    return requests;
  }

  AcmeAccounts accounts() {
    return accounts;
  }

  AcmeOrders orders() {
    return orders;
  }

  AcmeRevocations revocations() {
    return revocations;
  }

  CertificateAnswer certificates() {
    return certificates;
  }
}
