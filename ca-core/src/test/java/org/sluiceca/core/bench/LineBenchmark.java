package org.sluiceca.core.bench;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.ProviderVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * What steps 2, 3, 4 and 7 of one enrollment cost in CPU time, one thread, keys never seen before.
 * Step 7 verifies the issuer's P-256 signature over the planned bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LineBenchmark {

  private static final Deadline DEADLINE = new Deadline(Duration.ofSeconds(10).toNanos());

  /** Who verifies: the native library or Java. */
  @Param({"native", "java"})
  String verifier = "";

  private final Admission admission =
      new Admission(4, () -> true, () -> 0, new SplittableRandom(1));
  private final ProfileAuthorizer authorizer =
      new ProfileAuthorizer(new ProfileCatalog(List.of(Fixtures.tlsServer())));
  private final SoftwareKey issuerKey = SoftwareKey.named("issuer-ec-p256");
  private final Issuer issuer = Fixtures.issuing(issuerKey);
  private final IssuerCatalog issuers = new IssuerCatalog(List.of(issuer));
  private final Planner planner =
      new Planner(issuers, new SerialNumbers(new SplittableRandom(1)), () -> Fixtures.NOW);
  private final Requester requester = Fixtures.requester();
  private final ProfileName profile = Fixtures.tlsServer().name();
  private CsrVerifier csrVerifier = new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY);
  private PostSignCheck postSignCheck =
      new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier());

  /** What a recorded intent shows to steps 6 and 7. */
  private record Planned(KeyName key, SignatureAlgorithm signatureAlgorithm, OctetString toBeSigned)
      implements Signable {}

  private Planned planned =
      new Planned(KeyName.of(Fixtures.ISSUING), SignatureAlgorithm.ECDSA_SHA256, octet());
  private OctetString signature = octet();
  private final byte[] block = new byte[64 * 1024];

  @Setup(Level.Trial)
  public void choose(Requests requests) throws RejectedException {
    SignatureVerifier signatures =
        verifier.equals("java")
            ? new BouncyCastleVerifier()
            : new ProviderVerifier(AmazonCorrettoCryptoProvider.INSTANCE);
    csrVerifier = new CsrVerifier(signatures, KeyBlocklist.EMPTY);
    postSignCheck = new PostSignCheck(issuers::publicKey, signatures);
    OctetString tbs = OctetString.copyOf(steps2To4(requests.next()).tbsCertificate().encoded());
    planned = new Planned(KeyName.of(Fixtures.ISSUING), SignatureAlgorithm.ECDSA_SHA256, tbs);
    signature = issuerKey.sign(SignatureAlgorithm.ECDSA_SHA256, tbs);
  }

  /** The yardstick of the machine: 64 KiB by the JDK's SHA-256, no code of ours. */
  @Benchmark
  public byte[] yardstick() throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256").digest(block);
  }

  @Benchmark
  public VerifiedCsr step3(Requests requests) throws RejectedException {
    try (LinePermit place = place()) {
      return csrVerifier.verify(authorized(place, requests.next()));
    }
  }

  @Benchmark
  public IssuancePlan steps2To4(Requests requests) throws RejectedException {
    return steps2To4(requests.next());
  }

  @Benchmark
  public CheckedSignature step7() {
    return postSignCheck.check(planned, signature);
  }

  /** The figure that a goal is set for. */
  @Benchmark
  public CheckedSignature steps2To4And7(Requests requests) throws RejectedException {
    steps2To4(requests.next());
    return postSignCheck.check(planned, signature);
  }

  private IssuancePlan steps2To4(CsrDer csr) throws RejectedException {
    try (LinePermit place = place()) {
      return planner.plan(csrVerifier.verify(authorized(place, csr)));
    }
  }

  private AuthorizedRequest authorized(LinePermit place, CsrDer csr) throws RejectedException {
    return authorizer.authorize(
        place, new EnrollmentRequest(requester, profile, csr, Optional.empty()));
  }

  private LinePermit place() {
    if (admission.admit(Lane.INTERACTIVE, requester.id(), DEADLINE) instanceof LinePermit place) {
      return place;
    }
    throw new IllegalStateException("an empty line shed");
  }

  private static OctetString octet() {
    return OctetString.copyOf(new byte[1]);
  }
}
