package org.sluiceca.api.acme.config;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.ToDoubleFunction;
import org.sluiceca.api.acme.AcmeHeaders;
import org.sluiceca.api.acme.AcmeParts;
import org.sluiceca.api.acme.AcmeProblemForm;
import org.sluiceca.api.acme.account.service.AccountBindings;
import org.sluiceca.api.acme.account.service.AccountLoop;
import org.sluiceca.api.acme.account.service.AcmeAccounts;
import org.sluiceca.api.acme.account.service.AcmeKeyChange;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.account.store.NewAccountStore;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.nonce.NonceLoop;
import org.sluiceca.api.acme.nonce.Nonces;
import org.sluiceca.api.acme.nonce.store.NonceStore;
import org.sluiceca.api.acme.order.AcmeAuthorizations;
import org.sluiceca.api.acme.order.AcmeFinalization;
import org.sluiceca.api.acme.order.AcmeOrders;
import org.sluiceca.api.acme.order.NewOrders;
import org.sluiceca.api.acme.order.OrderAnswers;
import org.sluiceca.api.acme.renewal.AcmeRenewals;
import org.sluiceca.api.acme.revocation.AcmeRevocations;
import org.sluiceca.api.acme.signed.SignedRequests;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.enrollment.renewal.ServiceUrl;
import org.sluiceca.api.http.problem.ProblemForm;
import org.sluiceca.api.http.sender.SenderNetworks;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.registration.store.AuthorizationStore;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.RequestsBySerial;
import org.sluiceca.api.renewal.RenewalTimes;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.registration.Registration;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.verify.SignatureVerifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds ACME; a node without endpoints needs no file of keys. */
@Configuration(proxyBeanMethods = false)
public class AcmeConfiguration {

  /** A node without endpoints keeps no secret; its keys are its own, and of no use to another. */
  @Bean
  SecretKeys secretKeys(CaProperties properties) {
    Path file = properties.secretsFile();
    return file == null ? SecretKeys.ofOneRun() : SecretKeys.read(file);
  }

  @Bean
  BindingStore bindingStore(LedgerDatabase database, SecretKeys keys) {
    return new BindingStore(database, keys);
  }

  @Bean
  Nonces acmeNonces(
      LedgerDatabase database, SecretKeys keys, InstantSource clock, MeterRegistry registry) {
    Nonces nonces = new Nonces(new NonceStore(database), keys, clock);
    count(registry, nonces, "spent", Nonces::spent);
    count(registry, nonces, "repeated", Nonces::repeated);
    count(registry, nonces, "refused", Nonces::refused);
    return nonces;
  }

  private static void count(
      MeterRegistry registry, Nonces nonces, String outcome, ToDoubleFunction<Nonces> counted) {
    FunctionCounter.builder("ca.acme.nonces", nonces, counted)
        .tag("outcome", outcome)
        .register(registry);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  NonceLoop nonceLoop(Nonces nonces) {
    return new NonceLoop(nonces);
  }

  @Bean
  AcmeUrls acmeUrls(ServiceUrl service) {
    return new AcmeUrls(service.text());
  }

  @Bean
  AccountStore accountStore(LedgerDatabase database) {
    return new AccountStore(database);
  }

  @Bean
  NewAccountStore newAccountStore(LedgerDatabase database) {
    return new NewAccountStore(database);
  }

  @Bean
  SignedRequests signedRequests(
      AcmeUrls urls,
      Nonces nonces,
      AccountStore accounts,
      SignatureVerifier verifier,
      SenderNetworks networks) {
    return new SignedRequests(urls, nonces, accounts, verifier, networks);
  }

  @Bean
  SenderNetworks senderNetworks(CaProperties properties) {
    return new SenderNetworks(properties.http().proxyRanges());
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  AccountLoop accountLoop(AccountStore accounts, InstantSource clock) {
    return new AccountLoop(accounts, clock);
  }

  @Bean
  AcmeAccounts acmeAccounts(
      AcmeUrls urls,
      AccountStore accounts,
      NewAccountStore fresh,
      AccountBindings bindings,
      AuditTrail trail) {
    return new AcmeAccounts(urls, accounts, fresh, bindings, trail);
  }

  @Bean
  AccountBindings accountBindings(BindingStore bindings, InstantSource clock) {
    return new AccountBindings(bindings, clock);
  }

  @Bean
  AcmeKeyChange acmeKeyChange(
      AcmeUrls urls,
      AccountStore accounts,
      AcmeAccounts shown,
      SignedRequests requests,
      InstantSource clock) {
    return new AcmeKeyChange(urls, accounts, shown, requests, clock);
  }

  @Bean
  AcmeRenewals acmeRenewals(
      Ledger ledger,
      RevocationStore revocations,
      RequestsBySerial requests,
      RenewalTimes times,
      SenderNetworks networks,
      MeterRegistry registry,
      InstantSource clock) {
    return new AcmeRenewals(ledger, revocations, requests, times, networks, registry, clock);
  }

  @Bean
  NewOrders newOrders(AccountStore accounts, PostgresRequestStore store) {
    return new NewOrders(accounts, store);
  }

  @Bean
  AcmeOrders acmeOrders(
      AcmeUrls urls,
      NewOrders orders,
      PostgresRequestStore store,
      Registration registration,
      AcmeRenewals renewals,
      OrderAnswers answers,
      CertificateAnswer certificates,
      InstantSource clock) {
    return new AcmeOrders(
        urls, orders, store, registration, renewals, answers, certificates, clock);
  }

  @Bean
  OrderAnswers orderAnswers(AcmeUrls urls, AcmeRenewals renewals) {
    return new OrderAnswers(urls, renewals);
  }

  @Bean
  AcmeFinalization acmeFinalization(
      AcmeOrders orders,
      AccountStore accounts,
      AuthorizationStore proofs,
      Registration registration,
      OrderAnswers answers,
      SignedRequests turns,
      CsrVerifier verifier,
      AuditTrail trail) {
    return new AcmeFinalization(
        orders, accounts, proofs, registration, answers, turns, verifier, trail);
  }

  @Bean
  AcmeRevocations acmeRevocations(
      Ledger ledger,
      AccountStore accounts,
      RequestsBySerial requests,
      AuthorizationStore proofs,
      RevocationStore revocations,
      Revoker revoker,
      AuditTrail trail,
      InstantSource clock) {
    return new AcmeRevocations(
        ledger, accounts, requests, proofs, revocations, revoker, trail, clock);
  }

  @Bean
  AcmeHeaders acmeHeaders(AcmeUrls urls, AcmeEndpoints endpoints, Nonces nonces) {
    return new AcmeHeaders(urls, endpoints, nonces);
  }

  @Bean
  ProblemForm acmeProblemForm(AcmeHeaders headers) {
    return new AcmeProblemForm(headers);
  }

  @Bean
  AcmeParts acmeParts(
      AcmeUrls urls,
      AcmeEndpoints endpoints,
      SignedRequests requests,
      AcmeAccounts accounts,
      AcmeOrders orders,
      AcmeFinalization finalization,
      AcmeAuthorizations authorizations,
      AcmeRevocations revocations) {
    return new AcmeParts(
        urls, endpoints, requests, accounts, orders, finalization, authorizations, revocations);
  }
}
