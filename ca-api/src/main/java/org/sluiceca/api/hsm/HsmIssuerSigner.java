package org.sluiceca.api.hsm;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.EcdsaSignature;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.PendingSignature;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.WaitStrategy;

/** The signing port over an HSM. Thread-safe; deadlines are on {@link System#nanoTime}'s scale. */
public final class HsmIssuerSigner implements IssuerSigner {

  private final RequestSigner hsm;
  private final Map<KeyName, KeyRef> keys;
  private final Supplier<Consumer<SignObservation>> watchers;
  private final WaitStrategy waitStrategy;

  /** Signs with the key of each name in {@code keys}, unwatched. */
  public HsmIssuerSigner(RequestSigner hsm, Map<KeyName, KeyRef> keys) {
    this(hsm, keys, () -> SignRequest.UNWATCHED, WaitStrategy.TIMED);
  }

  /**
   * Signs with the key of each name in {@code keys}.
   *
   * @param watchers asked on the thread of each call, for what is to hear of its signature
   * @param waitStrategy how the thread of each call sleeps
   */
  public HsmIssuerSigner(
      RequestSigner hsm,
      Map<KeyName, KeyRef> keys,
      Supplier<Consumer<SignObservation>> watchers,
      WaitStrategy waitStrategy) {
    this.hsm = hsm;
    this.keys = Map.copyOf(keys);
    this.watchers = watchers;
    this.waitStrategy = waitStrategy;
  }

  @Override
  public OctetString sign(Signable signable, SignSchedule schedule) {
    return sign(hsm, request(signable, schedule, watchers.get()));
  }

  @Override
  public PendingSignature prepare() {
    return new Prepared(Thread.currentThread(), watchers.get());
  }

  /** A signature of which the thread that starts it knows nothing but the key and the bytes. */
  private final class Prepared implements PendingSignature {
    private final Thread waiter;
    private final Consumer<SignObservation> watcher;

    // Written by the thread that starts it, which then hands it over.
    private @Nullable Mechanism mechanism;
    private @Nullable StartedSignature started;
    private @Nullable RuntimeException failure;

    Prepared(Thread waiter, Consumer<SignObservation> watcher) {
      this.waiter = waiter;
      this.watcher = watcher;
    }

    @Override
    public void start(Signable signable, SignSchedule schedule) {
      try {
        SignRequest request = request(signable, schedule, watcher);
        mechanism = request.mechanism();
        started = hsm.start(request, waiter);
      } catch (HsmException e) {
        failure = unavailable(e);
      } catch (RuntimeException e) {
        // Thrown to the thread that waits; the one that starts it has others to serve.
        failure = e;
      }
    }

    @Override
    public boolean isUnderWay() {
      return started != null && started.isUnderWay();
    }

    @Override
    public void abandon() {
      if (started != null) {
        HsmException _ = started.abandon();
      }
    }

    @Override
    public Optional<OctetString> await(Deadline until) throws InterruptedException {
      if (failure != null) {
        throw failure;
      }
      if (started == null || mechanism == null) {
        throw new IllegalStateException("awaited before it was started");
      }
      if (!started.await(until.atNanos())) {
        return Optional.empty();
      }
      try {
        return Optional.of(encoded(mechanism, started.result()));
      } catch (HsmException e) {
        throw unavailable(e);
      }
    }
  }

  private SignRequest request(
      Signable signable, SignSchedule schedule, Consumer<SignObservation> watcher) {
    KeyRef key = keys.get(signable.key());
    if (key == null) {
      throw new SignerUnavailable("the key " + signable.key() + " is not here", false, null);
    }
    Mechanism mechanism = mechanism(signable.signatureAlgorithm());
    byte[] message = signable.toBeSigned().octets();
    return new SignRequest(key, mechanism, message, hsmSchedule(schedule), watcher, waitStrategy);
  }

  /**
   * Signs bytes with a key of {@code hsm}. Next to the port, only a ceremony and {@link
   * KeyPossession} call this: for the proof of possession in a CSR, which is no certificate.
   */
  public static OctetString sign(
      RequestSigner hsm,
      KeyRef key,
      SignatureAlgorithm algorithm,
      OctetString message,
      org.sluiceca.hsm.SignSchedule schedule) {
    return sign(hsm, new SignRequest(key, mechanism(algorithm), message.octets(), schedule));
  }

  private static OctetString sign(RequestSigner hsm, SignRequest request) {
    try {
      return encoded(request.mechanism(), hsm.sign(request));
    } catch (HsmException e) {
      throw unavailable(e);
    }
  }

  private static OctetString encoded(Mechanism mechanism, byte[] signature) {
    return switch (mechanism) {
      case ECDSA_SHA256, ECDSA_SHA384, ECDSA_SHA512 -> EcdsaSignature.ofPlain(signature);
      case RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PSS_SHA256, ED25519 ->
          OctetString.copyOf(signature);
    };
  }

  private static SignerUnavailable unavailable(HsmException e) {
    return new SignerUnavailable(String.valueOf(e.getMessage()), e.mayHaveExecuted(), e);
  }

  /**
   * Returns of which class the signatures are that an issuer makes with this key.
   *
   * @throws IllegalStateException if it is not of a kind that issuers sign with
   */
  public static SignatureClass signatureClass(SubjectPublicKeyInfo key) {
    try {
      SignatureAlgorithm algorithm =
          SignatureAlgorithm.ofIssuer(PublicKeyReader.read(key.der()).key());
      return new SignatureClass(mechanism(algorithm), key.bits());
    } catch (DerException e) {
      throw new IllegalStateException("an issuer's public key is bad: " + e.fault(), e);
    }
  }

  private static org.sluiceca.hsm.SignSchedule hsmSchedule(SignSchedule schedule) {
    return new org.sluiceca.hsm.SignSchedule(
        HsmLanes.of(schedule.lane()),
        schedule.requester().value(),
        schedule.answerBy().atNanos(),
        schedule.signBy().atNanos());
  }

  private static Mechanism mechanism(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      case RSA_PKCS1_SHA256 -> Mechanism.RSA_PKCS1_SHA256;
      case RSA_PKCS1_SHA384 -> Mechanism.RSA_PKCS1_SHA384;
      case RSASSA_PSS_SHA256 -> Mechanism.RSA_PSS_SHA256;
      case ECDSA_SHA256 -> Mechanism.ECDSA_SHA256;
      case ECDSA_SHA384 -> Mechanism.ECDSA_SHA384;
      case ECDSA_SHA512 -> Mechanism.ECDSA_SHA512;
      case ED25519 -> Mechanism.ED25519;
      case RSA_PKCS1_SHA512, RSASSA_PSS_SHA384, RSASSA_PSS_SHA512, ED448 ->
          throw new SignerUnavailable("no issuer signs with " + algorithm, false, null);
    };
  }
}
