package org.sluiceca.hsm.ceremony;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.vendor.CkrProfile;
import org.sluiceca.hsm.vendor.FailureClass;

/**
 * Measures a token that no other client uses: how long a job of each class takes alone, how many it
 * works on at once, and whether it has engines for one kind of key apart from the others. For one
 * thread.
 */
final class Calibrator {
  /*
   * Only with key pairs of its own, which are objects of one session (CKA_TOKEN false) and gone
   * with it (PKCS#11 C_CloseSession): an issuer's key signs nothing that is not recorded.
   *
   * The times: a token of 7/s is asked some 20 times (3 s) and then twice at once (2 s); one of
   * 23,000/s some 10,000 times after the JVM has compiled the way there.
   */

  /**
   * Until the JVM has compiled the way to the token; it takes some 10,000 signatures of SoftHSM.
   */
  private static final long WARM_UP_NANOS = 300_000_000L;

  private static final int SAMPLES_MIN = 5;
  private static final int SAMPLES_ENOUGH = 25;
  private static final int SAMPLES_MAX = 10_000;
  private static final long SAMPLING_NANOS = 1_000_000_000L;
  private static final long SAMPLING_MAX_NANOS = 3_000_000_000L;

  /** What is signed: of the size of a digest, which every class takes. */
  private static final byte[] MESSAGE = new byte[32];

  private static final int ID_BYTES = 16;

  private final Token token;
  private final CkrProfile profile;

  Calibrator(Token token, CkrProfile profile) {
    this.token = token;
    this.profile = profile;
  }

  /** A key pair that lives as long as a session, and how it signs. */
  // Never compared; it lives for one calibration.
  @SuppressWarnings("ArrayRecordComponent")
  record SessionKey(SignatureClass signatureClass, long privateKey, byte[] tokenInput) {

    void sign(Session session) {
      byte[] _ = session.sign(signatureClass.mechanism(), privateKey, tokenInput);
    }
  }

  /** See {@link KeyCeremony#calibrate}. */
  Calibration measure(Collection<SignatureClass> classes) {
    try (Session session = token.openSession(true)) {
      List<Measured> all = new ArrayList<>();
      for (SignatureClass signatureClass : classes) {
        SessionKey key = newKey(session, signatureClass);
        all.add(new Measured(key, base(session, key)));
      }
      if (all.isEmpty()) {
        throw new IllegalArgumentException("nothing to calibrate for");
      }
      Map<String, Measured> slowest = new TreeMap<>();
      all.forEach(
          each ->
              slowest.merge(
                  each.kind(), each, (a, b) -> a.baseSeconds() < b.baseSeconds() ? b : a));
      return new Calibration(
          new EngineGrouping<>(this::together)
              .group(slowest.values().stream().map(this::kind).toList()).stream()
                  .map(group -> engineGroup(group, all))
                  .toList());
    }
  }

  /** A class and how long its jobs take alone. */
  private record Measured(SessionKey key, double baseSeconds) {

    String kind() {
      return key.signatureClass().mechanism().keyKind();
    }
  }

  private static EngineGroup engineGroup(EngineGrouping.Group group, List<Measured> all) {
    return new EngineGroup(
        group.engines(),
        all.stream()
            .filter(each -> group.kinds().contains(each.kind()))
            .collect(Collectors.toMap(e -> e.key().signatureClass(), Measured::baseSeconds)));
  }

  private static SessionKey newKey(Session session, SignatureClass signatureClass) {
    KeyAlgorithm algorithm =
        KeyAlgorithm.of(signatureClass)
            .orElseThrow(
                () ->
                    new HsmException.RequestRefused(
                        "no key pair can be made for signatures of the class " + signatureClass));
    byte[] idBytes = new byte[ID_BYTES];
    new SecureRandom().nextBytes(idBytes);
    CkaId id = CkaId.of(idBytes);
    session.generateKeyPair(algorithm.ckm(), publicTemplate(id, algorithm), privateTemplate(id));
    long privateKey =
        session
            .privateKeyHandle(id)
            .orElseThrow(
                () -> new HsmException.KeyMissing("the token does not show a session's key pair"));
    return new SessionKey(
        signatureClass, privateKey, signatureClass.mechanism().tokenInput(MESSAGE));
  }

  private static List<Attribute> publicTemplate(CkaId id, KeyAlgorithm algorithm) {
    List<Attribute> template = new ArrayList<>(algorithm.publicAttributes());
    template.add(Attribute.of(Cka.TOKEN, false));
    template.add(Attribute.of(Cka.ID, id.bytes()));
    template.add(Attribute.of(Cka.VERIFY, true));
    return template;
  }

  private static List<Attribute> privateTemplate(CkaId id) {
    return List.of(
        Attribute.of(Cka.TOKEN, false),
        Attribute.of(Cka.PRIVATE, true),
        Attribute.of(Cka.SENSITIVE, true),
        Attribute.of(Cka.EXTRACTABLE, false),
        Attribute.of(Cka.SIGN, true),
        Attribute.of(Cka.ID, id.bytes()));
  }

  /** Seconds of a job that is alone. */
  private static double base(Session session, SessionKey key) {
    long start = System.nanoTime();
    do {
      key.sign(session);
    } while (System.nanoTime() - start < WARM_UP_NANOS);
    start = System.nanoTime();
    double[] seconds = new double[SAMPLES_MAX];
    int count = 0;
    long before = start;
    while (!isEnough(count, before - start)) {
      key.sign(session);
      long after = System.nanoTime();
      seconds[count++] = (after - before) / 1e9;
      before = after;
    }
    return InterquartileMean.of(Arrays.copyOf(seconds, count));
  }

  private static boolean isEnough(int count, long nanos) {
    return count >= SAMPLES_MAX
        || (count >= SAMPLES_ENOUGH && nanos >= SAMPLING_NANOS)
        || (count >= SAMPLES_MIN && nanos >= SAMPLING_MAX_NANOS);
  }

  private EngineGrouping.Kind<SessionKey> kind(Measured measured) {
    SessionKey key = measured.key();
    EngineRamp ramp = new EngineRamp(measured.baseSeconds());
    for (OptionalInt next = ramp.next(); next.isPresent(); next = ramp.next()) {
      rates(List.of(new Load.Stream(key, next.getAsInt())))
          .ifPresentOrElse(
              rates -> ramp.measured(rates.getOrDefault(key, 0.0)), () -> ramp.refused());
    }
    return new EngineGrouping.Kind<>(
        measured.kind(), key, measured.baseSeconds(), ramp.engines(), ramp.best(), ramp.bestRate());
  }

  /** See {@link EngineGrouping.Together}. */
  private Optional<EngineGrouping.Rates> together(
      SessionKey a, int inFlightA, SessionKey b, int inFlightB) {
    return rates(List.of(new Load.Stream(a, inFlightA), new Load.Stream(b, inFlightB)))
        .map(
            rates ->
                new EngineGrouping.Rates(rates.getOrDefault(a, 0.0), rates.getOrDefault(b, 0.0)));
  }

  /** Empty when the token has no room for that many jobs. */
  private Optional<Map<SessionKey, Double>> rates(List<Load.Stream> streams) {
    try {
      return Optional.of(new Load(token).rates(streams));
    } catch (CryptokiException e) {
      if (profile.classify(e.ckr()) != FailureClass.BUSY) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
