package org.sluiceca.api.enrollment.renewal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Verifies that a request for a renewal was signed by the key of the certificate that it renews,
 * before anything else is done for it. Any client may send any number of bad proofs: each costs one
 * look-up and one verification at most, in slots of their own, and no row. Thread-safe; blocks for
 * some seconds at most.
 */
public final class RenewalProofs {

  /** How far the time of a proof may be from this node's, either way. */
  static final Duration TIME_MAX = Duration.ofMinutes(5);

  /** Of the four general connections to the database; one answers about 2,000 look-ups a second. */
  private static final int LOOKUPS_AT_ONCE = 1;

  /** About 0.2 ms each. */
  private static final int VERIFIED_AT_ONCE = 4;

  /** Each holds a request of some 110 KB. 32 are 16 ms of look-ups. */
  private static final int WAITING_MAX = 32;

  private static final Duration WAIT = Duration.ofSeconds(1);

  /**
   * A request that was proven.
   *
   * @param requester the one that enrolled the certificate, for its profile alone
   * @param key of the proof's content: the same proof again is the same request
   */
  public record Proven(Requester requester, IdempotencyKey key) {}

  /** The outcome of a proof, for the metrics. */
  public enum Outcome {
    VERIFIED,
    REFUSED,
    SHED
  }

  /**
   * The questions asked about certificates and requesters; each may block and throw {@link
   * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable}.
   *
   * @param find what the ledger knows of a serial number
   * @param grants whether an administrator's grant of the profile to the requester stands
   * @param isBlocked whether a key is known to be compromised, for this requester or for all
   */
  public record Registers(
      Function<SerialNumber, Optional<LedgerEntry>> find,
      BiPredicate<RequesterId, ProfileName> grants,
      BiPredicate<SubjectPublicKeyInfo, RequesterId> isBlocked) {}

  /** Hears of each proof. */
  @FunctionalInterface
  public interface Observer {

    /** A proof was judged. */
    void judged(Outcome outcome);
  }

  private final BoundedSlots turns = new BoundedSlots(VERIFIED_AT_ONCE, WAITING_MAX, WAIT);
  private final BoundedSlots lookups = new BoundedSlots(LOOKUPS_AT_ONCE, WAITING_MAX, WAIT);

  private final ServiceUrl service;
  private final Registers registers;
  private final SignatureVerifier verifier;
  private final InstantSource clock;
  private final Observer observer;

  /** Verifies proofs that name {@code service}. */
  public RenewalProofs(
      ServiceUrl service,
      Registers registers,
      SignatureVerifier verifier,
      InstantSource clock,
      Observer observer) {
    this.service = service;
    this.registers = registers;
    this.verifier = verifier;
    this.clock = clock;
    this.observer = observer;
  }

  /**
   * Verifies a proof.
   *
   * @param serial of the certificate that is to be renewed, as the path names it
   * @param lines of the header {@code Sluice-Proof}
   * @param csr of the new certificate
   * @throws ProblemException 400 if the header is malformed; 401 if the proof does not verify or
   *     its time is not now; 403 if no grant stands; 409 if the key is blocked; 503 if too many are
   *     verified at once
   */
  public Proven verify(String serial, List<String> lines, CsrDer csr) {
    try {
      Proven proven = judge(serial, lines, csr);
      observer.judged(Outcome.VERIFIED);
      return proven;
    } catch (ProblemException e) {
      observer.judged(e.type() == ProblemType.SATURATED ? Outcome.SHED : Outcome.REFUSED);
      throw e;
    }
  }

  private Proven judge(String serial, List<String> lines, CsrDer csr) {
    RenewalProof proof = RenewalProof.parse(lines);
    SerialNumber serialNumber = serialNumber(serial);
    requireNow(proof.time());
    OctetString message = proof.message(service, serialNumber, csr);
    Certified certified =
        turns
            .work(
                () ->
                    lookups
                        .work(() -> registers.find().apply(serialNumber))
                        .flatMap(RenewalProofs::certified)
                        .filter(c -> verifies(c.key(), message, proof.signature())))
            .orElseThrow(() -> doesNotVerify(serialNumber, proof, csr));
    // From here on the holder of the key is known, and may know more.
    if (registers.isBlocked().test(certified.key(), certified.origin().requester())) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "the key of the certificate is known to be compromised: enroll a new key");
    }
    Intent.Origin origin = certified.origin();
    if (!registers.grants().test(origin.requester(), origin.profile())) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          String.format(
              Locale.ROOT,
              "%s, who enrolled the certificate, may not use profile %s any more: ask an administrator",
              origin.requester().value(),
              origin.profile().value()));
    }
    return new Proven(
        new Requester(
            origin.requester(),
            Authentication.RENEWAL_PROOF,
            Set.of(Role.REQUESTER),
            Set.of(origin.profile())),
        key(message));
  }

  /** The key of an issued certificate, and who enrolled it. */
  private record Certified(SubjectPublicKeyInfo key, Intent.Origin origin) {}

  private static Optional<Certified> certified(LedgerEntry entry) {
    if (entry.certificate().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Certified(
              CertificateReader.read(entry.intent().tbsCertificate()).subjectPublicKeyInfo(),
              entry.intent().origin()));
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own certificate does not parse", e);
    }
  }

  private boolean verifies(SubjectPublicKeyInfo key, OctetString message, OctetString signature) {
    return verifier.verifies(key, algorithm(key), message, signature);
  }

  /** The one algorithm of each kind of key; the hash is as strong as the key. */
  static SignatureAlgorithm algorithm(SubjectPublicKeyInfo key) {
    return switch (key.key().algorithm()) {
      case RSA -> SignatureAlgorithm.RSASSA_PSS_SHA256;
      case EC_P256 -> SignatureAlgorithm.ECDSA_SHA256;
      case EC_P384 -> SignatureAlgorithm.ECDSA_SHA384;
      case EC_P521 -> SignatureAlgorithm.ECDSA_SHA512;
      case ED25519 -> SignatureAlgorithm.ED25519;
      case ED448 -> SignatureAlgorithm.ED448;
    };
  }

  private void requireNow(Instant time) {
    Duration off = Duration.between(clock.instant(), time);
    if (off.abs().compareTo(TIME_MAX) > 0) {
      throw unauthenticated(
          String.format(
              Locale.ROOT,
              "the time of the proof is %d s %s this node's, allowed %d s: check the clock and sign again",
              off.abs().toSeconds(),
              off.isNegative() ? "before" : "after",
              TIME_MAX.toSeconds()));
    }
  }

  /** Of the content, not of the signature: one message has many ECDSA signatures. */
  private static IdempotencyKey key(OctetString message) {
    return new IdempotencyKey(
        RenewalProof.CONTEXT
            + ":"
            + HexFormat.of().formatHex(Authenticator.sha256(message.octets()).octets()));
  }

  private static SerialNumber serialNumber(String text) {
    try {
      return SerialNumber.ofText(text);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** The same whether there is such a certificate or not; what must have been signed helps. */
  private ProblemException doesNotVerify(
      SerialNumber serialNumber, RenewalProof proof, CsrDer csr) {
    return unauthenticated(
        "the proof does not verify by the key of a certificate with this serial number. It must be"
            + String.format(
                Locale.ROOT,
                " over five lines, each ended by a line feed: %s, %s, %s, %d, %s",
                RenewalProof.CONTEXT,
                service.text(),
                serialNumber.hex(),
                proof.time().getEpochSecond(),
                RenewalProof.digest(csr)));
  }

  private static ProblemException unauthenticated(String detail) {
    return new ProblemException(ProblemType.UNAUTHENTICATED, detail);
  }
}
