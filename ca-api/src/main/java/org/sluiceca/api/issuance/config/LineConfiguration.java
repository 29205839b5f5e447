package org.sluiceca.api.issuance.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.api.hsm.IssuerWork;
import org.sluiceca.api.hsm.SigningPools;
import org.sluiceca.api.http.access.QueueWaits;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.observe.HsmMetrics;
import org.sluiceca.api.observe.trace.Tracing;
import org.sluiceca.api.platform.verify.NativeCrypto;
import org.sluiceca.api.platform.wait.CoarseTimer;
import org.sluiceca.api.revocation.blocked.KnownCompromisedKeys;
import org.sluiceca.api.revocation.blocked.ReservedNameSource;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.DryRun;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.OrderStore;
import org.sluiceca.core.order.OrderAdmission;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds the line from the configuration, in the order of its steps. */
@Configuration(proxyBeanMethods = false)
public class LineConfiguration {

  /**
   * How long a node may take over an intent before others do: longer than any wait in the lane,
   * short enough that a dead node's intents are finished within 30 s.
   */
  static final Duration CLAIM_LIFETIME = Duration.ofSeconds(15);

  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }

  @Bean
  Ticker ticker() {
    return System::nanoTime;
  }

  @Bean
  SecureRandom random() {
    return new SecureRandom();
  }

  @Bean
  SignatureVerifier signatures(CaProperties properties) {
    return properties.nativeCrypto() ? NativeCrypto.verifier() : new BouncyCastleVerifier();
  }

  @Bean
  IssuerCatalog issuers(ActiveIssuers active) {
    return active.catalog();
  }

  // 1 admit
  @Bean
  Admission admission(
      CaProperties properties,
      SigningPools pools,
      HsmMetrics metrics,
      Ticker ticker,
      SecureRandom random) {
    Admission admission =
        new Admission(
            new Admission.Terms(properties.line().places(), properties.line().quota()),
            new Admission.Signer(pools::isUsable, pools::capacityPerSecond),
            ticker,
            random);
    metrics.watch(admission);
    metrics.deadlines(CLAIM_LIFETIME, CLAIM_LIFETIME.minus(Enrollment.RECORD_MARGIN));
    return admission;
  }

  // 2 authorize, 3 verify, 4 plan
  @Bean
  KeyBlocklist keyBlocklist(CaProperties properties) {
    return keyBlocklist(properties.keyBlocklist());
  }

  /**
   * Reads a list of known bad keys; an empty name gives the empty list.
   *
   * @throws IllegalArgumentException with one line that names the file and the fault
   */
  public static KeyBlocklist keyBlocklist(String file) {
    if (file.isEmpty()) {
      return KeyBlocklist.EMPTY;
    }
    try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.US_ASCII)) {
      return KeyBlocklist.parse(lines.iterator());
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalArgumentException("cannot read the key blocklist " + file, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  @Bean
  SigningPools pools(TokenGroup tokens, ActiveIssuers active, Ticker ticker) {
    return new SigningPools(active.keys(), tokens::engines, ticker);
  }

  @Bean
  IssuerWork issuerWork(
      TokenGroup tokens,
      SigningPools pools,
      ActiveIssuers active,
      ProfileCatalog profiles,
      Ticker ticker) {
    return new IssuerWork(profiles, active.keys(), pools, tokens::costNanos, ticker);
  }

  @Bean
  ClockSkew clockSkew(CaProperties properties) {
    return new ClockSkew(properties.clockSkew());
  }

  @Bean
  Planner planner(
      IssuerCatalog issuers,
      SecureRandom random,
      InstantSource clock,
      ReservedNameSource reserved,
      ClockSkew skew) {
    return new Planner(issuers, new SerialNumbers(random), clock, reserved::current, skew);
  }

  @Bean
  CsrVerifier csrVerifier(
      SignatureVerifier signatures, KeyBlocklist keyBlocklist, KnownCompromisedKeys compromised) {
    return new CsrVerifier(signatures, keyBlocklist, compromised);
  }

  @Bean
  AcceptSteps acceptSteps(
      Admission admission,
      OrderAdmission orders,
      IssuerWork work,
      ProfileCatalog profiles,
      CsrVerifier csrVerifier,
      Planner planner) {
    return new AcceptSteps(
        admission, orders::admit, work::of, new ProfileAuthorizer(profiles), csrVerifier, planner);
  }

  // 2 to 4, before the node is ready
  @Bean
  DryRun dryRun(CsrVerifier csrVerifier, Planner planner, Ticker ticker, SecureRandom random) {
    return new DryRun(csrVerifier, planner, ticker, random);
  }

  // 5 and 8 record
  @Bean
  Ledger ledger(
      PostgresLedgerStore store,
      OrderStore orders,
      CaProperties properties,
      Ticker ticker,
      SecureRandom random) {
    // A restarted node is another owner: it must not trust claims that it knows nothing of.
    NodeId owner = new NodeId(properties.nodeName() + "." + Long.toHexString(random.nextLong()));
    return new Ledger(store, orders, new ClaimTerms(owner, CLAIM_LIFETIME), ticker);
  }

  /** For those who wait in step 6. */
  @Bean(destroyMethod = "close")
  CoarseTimer signClock() {
    return new CoarseTimer("sign-clock");
  }

  // 6 sign, 7 check
  @Bean
  FinishSteps finishSteps(
      TokenGroup tokens,
      ActiveIssuers active,
      IssuerCatalog issuers,
      SignatureVerifier signatures,
      Tracing tracing,
      CoarseTimer signClock) {
    return new FinishSteps(
        new HsmIssuerSigner(
            tokens, active.keys(), QueueWaits.joined(tracing.signatures()), signClock::park),
        new PostSignCheck(issuers::publicKey, signatures));
  }

  @Bean
  Enrollment enrollment(AcceptSteps accept, FinishSteps finish, Ledger ledger, EventSink events) {
    return new Enrollment(accept, finish, ledger, events);
  }
}
