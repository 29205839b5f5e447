package org.sluiceca.api.simulation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;

/** What is the same in every world, made once: issuer, profiles, requesters, requests. */
final class Cast {

  static final IssuerCatalog ISSUERS = new IssuerCatalog(List.of(issuer()));
  static final ProfileCatalog PROFILES = new ProfileCatalog(Fixtures.profiles());
  static final PostSignCheck POST_SIGN_CHECK =
      new PostSignCheck(ISSUERS::publicKey, new BouncyCastleVerifier());

  /** Verifies each of the few requests once; what is signed is verified by the real thing. */
  static final CsrVerifier CSR_VERIFIER =
      new CsrVerifier(remembering(new BouncyCastleVerifier()), KeyBlocklist.EMPTY);

  /** Two per client: one is its own, one is for the misuse of its key. */
  static final List<CsrDer> CSRS = csrs();

  private static final Map<CsrDer, OctetString> HASHES = new ConcurrentHashMap<>();

  /** Its proof of possession does not hold. */
  static final CsrDer BAD_CSR = bad(CSRS.getFirst());

  static final List<Requester> REQUESTERS = List.of(requester("alice"), requester("bob"));

  private Cast() {}

  private static SignatureVerifier remembering(SignatureVerifier real) {
    Map<List<Object>, Boolean> known = new ConcurrentHashMap<>();
    return (key, algorithm, message, signature) ->
        known.computeIfAbsent(
            List.of(algorithm, message, signature),
            k -> real.verifies(key, algorithm, message, signature));
  }

  private static Issuer issuer() {
    var key = SimToken.key().publicKey();
    return new Issuer(
        Fixtures.ISSUING,
        NameCodec.write(
            new DistinguishedName(
                List.of(new Attribute(NameAttribute.COMMON_NAME, "Simulated Issuing CA")))),
        key,
        KeyIdentifiers.of(key),
        new Validity(
            World.START.minus(Duration.ofDays(365)), World.START.plus(Duration.ofDays(365))),
        List.of(),
        Optional.of(
            new Issuer.Publications(
                "http://ca.example.test/issuers/issuing.cer",
                "http://ca.example.test/crl/issuing.crl")),
        IssuerConstraints.NONE);
  }

  private static List<CsrDer> csrs() {
    SoftwareKey key = SoftwareKey.named("ed25519");
    List<CsrDer> csrs = new ArrayList<>();
    for (int i = 0; i < 2 * Workload.CLIENTS_MAX; i++) {
      String host = "host-" + i + ".example.test";
      csrs.add(CsrFixture.host(host, host).signedBy(key));
    }
    return List.copyOf(csrs);
  }

  /** What stands in an intent for this request, as {@code PayloadHash} defines it. */
  static OctetString payloadHash(CsrDer csr) {
    return HASHES.computeIfAbsent(csr, Cast::hash);
  }

  private static OctetString hash(CsrDer csr) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(Fixtures.tlsServer().name().value().getBytes(StandardCharsets.US_ASCII));
      sha256.update((byte) 0);
      return OctetString.copyOf(sha256.digest(csr.encoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static CsrDer bad(CsrDer good) {
    byte[] bytes = good.encoded();
    bytes[bytes.length - 1] ^= 1;
    return CsrDer.of(bytes);
  }

  private static Requester requester(String name) {
    return new Requester(
        new RequesterId(name),
        Requester.Authentication.BEARER_TOKEN,
        Set.of(Role.REQUESTER),
        Set.of(Fixtures.tlsServer().name()));
  }
}
