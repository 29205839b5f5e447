package org.sluiceca.core.bench.ratio;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
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
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.ProviderVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * Steps of the line, and code that is not ours and does something similar, each as a piece of work
 * that can be repeated: P-256, the native library. Used by one thread.
 */
final class LineWork {

  /** One piece of work; what it returns is kept, so that no compiler leaves the work out. */
  @FunctionalInterface
  interface Work {
    Object once() throws RejectedException, GeneralSecurityException, IOException;
  }

  /** A P-256 verification by the native library through the JCA. */
  static final String VERIFICATION = "verification";

  /** A P-256 signature by the native library through the JCA. */
  static final String SIGNATURE = "signature";

  /** Bouncy Castle decodes the request and encodes it again: Java that does what ours does. */
  static final String PARSING = "parsing";

  /** Steps 2 and 3: admission, authorization, reading and verification of a request. */
  static final String STEP_3 = "step3";

  /** The same without the computation on the curve. */
  static final String READING = "reading";

  /** Step 4: the plan, that is all octets of the certificate, and the lints. */
  static final String STEP_4 = "step4";

  /** Step 7: the check after signing. */
  static final String STEP_7 = "step7";

  /** Both. */
  static final String STEPS_4_AND_7 = "step4+step7";

  /** {@link #READING} with a planted slowdown: every other request is read twice. */
  static final String SLOWER_READING = "slower reading";

  /** {@link #READING} with planted allocation of a fifth more. */
  static final String WASTEFUL_READING = "wasteful reading";

  /** A fifth of what reading one request allocates. */
  private static final int PLANTED_OCTETS = 2_048;

  private static final Deadline DEADLINE = new Deadline(Duration.ofSeconds(10).toNanos());
  private static final SignatureAlgorithm ALGORITHM = SignatureAlgorithm.ECDSA_SHA256;

  /** What a recorded intent shows to steps 6 and 7. */
  private record Planned(KeyName key, SignatureAlgorithm signatureAlgorithm, OctetString toBeSigned)
      implements Signable {}

  /** A request in all forms that some work begins with. */
  private static final class Prepared {
    private final CsrDer csr;
    private final byte[] octets;
    private final VerifiedCsr verified;
    private final PublicKey key;
    private final byte[] signed;
    private final byte[] signature;

    Prepared(CsrDer csr, VerifiedCsr verified) throws GeneralSecurityException {
      this.csr = csr;
      this.octets = csr.encoded();
      this.verified = verified;
      this.key =
          KeyFactory.getInstance("EC", AmazonCorrettoCryptoProvider.INSTANCE)
              .generatePublic(
                  new X509EncodedKeySpec(verified.csr().subjectPublicKeyInfo().encoded()));
      this.signed = verified.csr().signed().octets();
      this.signature = verified.csr().signature().octets();
    }
  }

  private final Admission admission =
      new Admission(4, () -> true, () -> 0, new SplittableRandom(1));
  private final ProfileAuthorizer authorizer =
      new ProfileAuthorizer(new ProfileCatalog(List.of(Fixtures.tlsServer())));
  private final Requester requester = Fixtures.requester();
  private final SignatureVerifier signatures =
      new ProviderVerifier(AmazonCorrettoCryptoProvider.INSTANCE);
  private final CsrVerifier verifier = new CsrVerifier(signatures, KeyBlocklist.EMPTY);
  private final CsrVerifier reader =
      new CsrVerifier((key, algorithm, message, signature) -> true, KeyBlocklist.EMPTY);
  private final SoftwareKey issuerKey = SoftwareKey.named("issuer-ec-p256");
  private final Issuer issuer = Fixtures.issuing(issuerKey);
  private final IssuerCatalog issuers = new IssuerCatalog(List.of(issuer));
  private final Planner planner =
      new Planner(issuers, new SerialNumbers(new SplittableRandom(1)), () -> Fixtures.NOW);
  private final PostSignCheck postSignCheck = new PostSignCheck(issuers::publicKey, signatures);
  private final Signature verifying;
  private final Signature signing;
  private final List<Prepared> requests = new ArrayList<>();
  private final Planned planned;
  private final OctetString signature;
  private int next;

  /**
   * Makes the requests.
   *
   * @param distinct requests, each with a key of its own: a key seen before is cheaper in some
   *     libraries, whose caches hold fewer than 1,024
   */
  LineWork(int distinct) throws GeneralSecurityException, RejectedException {
    verifying = Signature.getInstance("SHA256withECDSA", AmazonCorrettoCryptoProvider.INSTANCE);
    signing = Signature.getInstance("SHA256withECDSA", AmazonCorrettoCryptoProvider.INSTANCE);
    KeyPairGenerator keys =
        KeyPairGenerator.getInstance("EC", AmazonCorrettoCryptoProvider.INSTANCE);
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = keys.generateKeyPair();
    signing.initSign(pair.getPrivate());
    for (int i = 0; i < distinct; i++) {
      String host = "host-" + i + ".bench.test";
      CsrDer csr = CsrFixture.host(host, host).signedBy(SoftwareKey.generate("ec-p256"));
      requests.add(new Prepared(csr, verified(csr, verifier)));
    }
    OctetString tbs =
        OctetString.copyOf(planner.plan(request().verified).tbsCertificate().encoded());
    planned = new Planned(KeyName.of(Fixtures.ISSUING), ALGORITHM, tbs);
    signature = issuerKey.sign(ALGORITHM, tbs);
  }

  /** Returns all work by its name. */
  Map<String, Work> all() {
    Map<String, Work> all = new LinkedHashMap<>();
    all.put(VERIFICATION, this::verification);
    all.put(STEP_3, () -> verified(request().csr, verifier));
    all.put(SIGNATURE, this::signature);
    all.put(STEPS_4_AND_7, () -> List.of(step4(), step7()));
    all.put(PARSING, this::parsing);
    all.put(READING, this::reading);
    all.put(STEP_4, this::step4);
    all.put(STEP_7, this::step7);
    all.put(SLOWER_READING, this::slowerReading);
    all.put(WASTEFUL_READING, () -> List.of(reading(), new byte[PLANTED_OCTETS]));
    return all;
  }

  private Prepared request() {
    next = next + 1 == requests.size() ? 0 : next + 1;
    return requests.get(next);
  }

  private Boolean verification() throws GeneralSecurityException {
    Prepared request = request();
    verifying.initVerify(request.key);
    verifying.update(request.signed);
    if (!verifying.verify(request.signature)) {
      throw new SignatureException("a good signature does not verify");
    }
    return true;
  }

  private byte[] signature() throws GeneralSecurityException {
    signing.update(request().signed);
    return signing.sign();
  }

  private byte[] parsing() throws IOException {
    return CertificationRequest.getInstance(request().octets).getEncoded(ASN1Encoding.DER);
  }

  private VerifiedCsr reading() throws RejectedException {
    return verified(request().csr, reader);
  }

  private VerifiedCsr slowerReading() throws RejectedException {
    return next % 2 == 0 ? verified(reading().authorized().request().csr(), reader) : reading();
  }

  private IssuancePlan step4() throws RejectedException {
    return planner.plan(request().verified);
  }

  private CheckedSignature step7() {
    return postSignCheck.check(planned, signature);
  }

  private VerifiedCsr verified(CsrDer csr, CsrVerifier by) throws RejectedException {
    if (!(admission.admit(Lane.INTERACTIVE, requester.id(), DEADLINE)
        instanceof LinePermit permit)) {
      throw new IllegalStateException("an empty line shed");
    }
    try (permit) {
      return by.verify(
          authorizer.authorize(
              permit,
              new EnrollmentRequest(
                  requester, Fixtures.tlsServer().name(), csr, Optional.empty())));
    }
  }
}
