package org.sluiceca.core.testkit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.verify.BouncyCastleVerifier;

/** The eight steps with the fixtures' profiles and an issuer, over the ports of a test. */
public final class WholeLine {

  /** How long claims live. */
  public static final Duration CLAIM = Duration.ofSeconds(15);

  private static final long SEED = 2;

  private WholeLine() {}

  /** Builds it for the issuer {@link Fixtures#ISSUING} with this key. */
  public static Enrollment of(
      SoftwareKey issuerKey,
      Admission admission,
      LedgerStore store,
      IssuerSigner signer,
      ManualTime time) {
    return of(issuerKey, admission, store, signer, time, time, event -> {});
  }

  /**
   * The same.
   *
   * @param ticker by which claims and deadlines pass
   * @param events hears what happens
   */
  public static Enrollment of(
      SoftwareKey issuerKey,
      Admission admission,
      LedgerStore store,
      IssuerSigner signer,
      InstantSource time,
      Ticker ticker,
      EventSink events) {
    IssuerCatalog issuers = new IssuerCatalog(List.of(Fixtures.issuing(issuerKey)));
    BouncyCastleVerifier signatures = new BouncyCastleVerifier();
    return new Enrollment(
        new AcceptSteps(
            admission,
            new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
            new CsrVerifier(signatures, KeyBlocklist.EMPTY),
            new Planner(issuers, new SerialNumbers(new SplittableRandom(SEED)), time)),
        new FinishSteps(signer, new PostSignCheck(issuers::publicKey, signatures)),
        new Ledger(store, new ClaimTerms(new NodeId("here"), CLAIM), ticker),
        events);
  }
}
