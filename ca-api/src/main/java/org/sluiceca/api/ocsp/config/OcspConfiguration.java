package org.sluiceca.api.ocsp.config;

import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.hsm.IssuerWork;
import org.sluiceca.api.hsm.KeyPossession;
import org.sluiceca.api.http.edge.Refusal;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.ocsp.OcspAnswers;
import org.sluiceca.api.ocsp.OcspEndpoint;
import org.sluiceca.api.ocsp.OcspMetrics;
import org.sluiceca.api.ocsp.ResponderKeys;
import org.sluiceca.api.ocsp.ResponderRenewal;
import org.sluiceca.api.ocsp.Responders;
import org.sluiceca.api.ocsp.RevocationWatch;
import org.sluiceca.api.ocsp.SignatureShares;
import org.sluiceca.api.ocsp.StatusLookups;
import org.sluiceca.api.ocsp.store.PostgresStatusRecords;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.ocsp.store.RevocationFeed;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.profile.ResponderProfile;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.naming.ReservedNames;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.ocsp.IssuerHashes;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.ocsp.ResponseIssuance;
import org.sluiceca.core.ocsp.StatusRule;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.throughput.RetryAfter;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Builds OCSP: its answers, their sources, and the renewal of its certificates. */
@Configuration(proxyBeanMethods = false)
public class OcspConfiguration {

  /** The work ahead of a client that finds every place taken is done in a second or two. */
  private static final double RETRY_SECONDS = 2;

  @Bean
  ResponderStore responderStore(LedgerDatabase database) {
    return new ResponderStore(database);
  }

  @Bean
  ResponderKeys responderKeys(ResponderStore store) {
    return ResponderKeys.of(store.list());
  }

  @Bean
  Responders responders(ResponderStore store, ResponderKeys keys, InstantSource clock) {
    return new Responders(store::list, keys.publicKeys(), clock);
  }

  @Bean
  AnswerCache<CountDownLatch> ocspCache(CaProperties properties, OcspMetrics metrics) {
    AnswerCache<CountDownLatch> cache =
        new AnswerCache<>(properties.ocsp().limits(), () -> new CountDownLatch(1));
    metrics.watch(cache);
    return cache;
  }

  @Bean
  OcspMetrics ocspMetrics(MeterRegistry registry) {
    return new OcspMetrics(registry);
  }

  @Bean
  StatusLookups statusLookups(
      LedgerDatabase database, CaProperties properties, InstantSource clock, Ticker ticker) {
    return new StatusLookups(
        new PostgresStatusRecords(database),
        new StatusRule(properties.ocsp().neverIssued()),
        clock,
        ticker);
  }

  @Bean
  ResponseIssuance responseIssuance(
      TokenGroup tokens,
      ResponderKeys keys,
      SignatureVerifier signatures,
      CaProperties properties,
      InstantSource clock,
      ClockSkew skew) {
    return new ResponseIssuance(
        new HsmIssuerSigner(tokens, keys.byName()),
        signatures,
        clock,
        properties.ocsp().lifetime(),
        skew);
  }

  @Bean
  OcspAnswers.Sources ocspSources(
      StatusIssuers issuers,
      Responders responders,
      StatusLookups lookups,
      CaProperties properties,
      Ticker ticker,
      ResponseIssuance issuance) {
    return new OcspAnswers.Sources(
        new IssuerHashes(issuers.distinct()),
        responders,
        lookups,
        new SignatureShares(properties.ocsp().signing(), properties.ocsp().waiting(), ticker),
        issuance);
  }

  @Bean
  OcspAnswers ocspAnswers(
      OcspAnswers.Sources sources,
      AnswerCache<CountDownLatch> cache,
      CaProperties properties,
      InstantSource clock,
      Ticker ticker,
      OcspMetrics metrics,
      EventSink events) {
    return new OcspAnswers(
        sources, cache, properties.ocsp().nonces(), clock, ticker, metrics, events);
  }

  /** Behind the plain port's filter, before the firewall. */
  @Bean
  FilterRegistrationBean<OcspEndpoint> ocspEndpoint(
      OcspAnswers answers, InstantSource clock, SecureRandom random, Refusal refusal) {
    RetryAfter pace = new RetryAfter(random);
    FilterRegistrationBean<OcspEndpoint> registration =
        new FilterRegistrationBean<>(
            new OcspEndpoint(answers, clock, () -> retryAfter(pace), refusal));
    registration.addUrlPatterns("/ocsp", "/ocsp/*");
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 3);
    return registration;
  }

  /** It is not thread-safe. */
  private static Duration retryAfter(RetryAfter pace) {
    synchronized (pace) {
      return pace.after(RETRY_SECONDS);
    }
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  RevocationWatch revocationWatch(
      LedgerDatabase database,
      AnswerCache<CountDownLatch> cache,
      Responders responders,
      ChangeWatch changes) {
    RevocationWatch watch = new RevocationWatch(new RevocationFeed(database), cache, responders);
    watch.restUntilChanged(changes);
    return watch;
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  ResponderRenewal responderRenewal(
      ResponderRenewal.Line line,
      Responders responders,
      ResponderStore store,
      InstantSource clock) {
    return new ResponderRenewal(line, responders, store, clock);
  }

  /** Reserves no names: a responder bears those of its issuer. */
  record ResponderPlanner(Planner planner) {}

  @Bean
  ResponderPlanner responderPlanner(
      IssuerCatalog issuers, SecureRandom random, InstantSource clock, ClockSkew skew) {
    return new ResponderPlanner(
        new Planner(issuers, new SerialNumbers(random), clock, () -> ReservedNames.NONE, skew));
  }

  @Bean
  ResponderLine responderLine(
      Admission admission,
      IssuerWork work,
      KeyBlocklist keyBlocklist,
      ProfileCatalog profiles,
      ResponderPlanner planner,
      SignatureVerifier signatures) {
    return issuer ->
        new AcceptSteps(
            admission,
            profile -> work.of(issuer.issuer()),
            new ProfileAuthorizer(
                new ProfileCatalog(List.of(ResponderProfile.of(profiles, issuer.issuer())))),
            new CsrVerifier(signatures, keyBlocklist),
            planner.planner());
  }

  /** Steps 1 to 4 for a responder of any issuer: the catalogue's profile names one issuer only. */
  @FunctionalInterface
  interface ResponderLine {
    AcceptSteps of(Responder responder);
  }

  @Bean
  KeyPossession responderPossession(TokenGroup tokens, ResponderKeys keys) {
    return new KeyPossession(tokens, keys.byName());
  }

  @Bean
  ResponderRenewal.Line responderRenewalLine(
      ResponderLine steps,
      IssuerCatalog issuers,
      FinishSteps finish,
      Ledger ledger,
      EventSink events,
      KeyPossession possession,
      IssuanceService.Parts issuance) {
    return new ResponderRenewal.Line(
        responder -> possession.csr(Responder.keyOf(responder.issuer()), responder.subject()),
        responder ->
            new IssuanceService(
                new Enrollment(steps.of(responder), finish, ledger, events), issuance),
        ResponderProfile.NAME,
        issuers);
  }
}
