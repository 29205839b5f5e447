package org.sluiceca.hsm.bench.keyless;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Results.Tracked;
import org.sluiceca.hsm.bench.keyless.Terms.Crew;
import org.sluiceca.hsm.signer.HsmSigner;

/** The parts of a run, one after the other; each blocks for as long as it measures. */
final class Sections {
  /** Service times with which two processors can make the real signatures of a device. */
  private static final Map<KeyKind, Double> SERVICE_MILLIS =
      Map.of(
          KeyKind.EC_P256, 4.0,
          KeyKind.EC_P384, 20.0,
          KeyKind.ED25519, 8.0,
          KeyKind.RSA_2048, 40.0,
          KeyKind.RSA_3072, 80.0,
          KeyKind.RSA_4096, 160.0);

  /** The pair of the field: RSA-2048 takes ten times as long. */
  private static final Map<KeyKind, Double> MIXED_MILLIS =
      Map.of(KeyKind.EC_P256, 5.0, KeyKind.RSA_2048, 50.0);

  /** More than any window: the device's own queue shows what the adapter lets in. */
  private static final int CROWD = 64;

  /** 2 sqrt(k N) + 8 for one node and 8 servers (docs/adr/0016). */
  private static final double QUEUE_BOUND = 2 * Math.sqrt(Place.SERVERS) + 8;

  /** EC asks for what half of the engines can do, RSA for all that there is. */
  private static final int EC_WORKERS = Place.SERVERS / 2;

  private static final int RSA_WORKERS = 32;
  private static final int EC_WORKERS_OF_PROCESSORS = 4;
  private static final int RSA_WORKERS_OF_PROCESSORS = 16;

  private final Terms terms;
  private final Path folder;
  private final Consumer<String> progress;

  /**
   * Nothing is made yet.
   *
   * @param folder for devices, not deleted while the process lives: their modules stay loaded
   */
  Sections(Terms terms, Path folder, Consumer<String> progress) {
    this.terms = terms;
    this.folder = folder;
    this.progress = progress;
  }

  /** Each kind of key with each crew, on SoftHSM. */
  List<Pair> pairs() throws InterruptedException {
    Place soft = Place.softHsm("keyless-soft", terms.kinds());
    progress.accept("warming up");
    KeyKind first = terms.kinds().getFirst();
    Measurement _ = adapter(soft, first, terms.crews().getLast(), terms.warmUp());
    List<Pair> pairs = new ArrayList<>();
    for (KeyKind kind : terms.kinds()) {
      for (Crew crew : terms.crews()) {
        pairs.add(pair(soft, kind, crew));
      }
    }
    return pairs;
  }

  private Pair pair(Place soft, KeyKind kind, Crew crew) throws InterruptedException {
    List<Measurement> bare = new ArrayList<>();
    List<Measurement> adapter = new ArrayList<>();
    for (int round = 0; round < terms.rounds(); round++) {
      // Who is first changes: whatever drifts is then with both.
      if (round % 2 == 0) {
        bare.add(bare(soft, kind, crew.sessions()));
      }
      adapter.add(adapter(soft, kind, crew, terms.settle()));
      if (round % 2 == 1) {
        bare.add(bare(soft, kind, crew.sessions()));
      }
    }
    Pair pair = new Pair(kind, crew, bare, adapter);
    progress.accept(
        "SoftHSM, %s, %d sessions, %d requesters: bare %.0f/s, adapter %.0f/s"
            .formatted(
                kind,
                crew.sessions(),
                crew.requesters(),
                Measurement.together(bare).perSecond(),
                Measurement.together(adapter).perSecond()));
    return pair;
  }

  private Measurement bare(Place place, KeyKind kind, int workers) throws InterruptedException {
    return place.bare(terms.program()).measure(kind, workers, terms.settle(), terms.length());
  }

  private Measurement adapter(Place soft, KeyKind kind, Crew crew, Duration settle)
      throws InterruptedException {
    try (HsmSigner signer = soft.open(crew.sessions())) {
      return loop(signer, soft, kind, crew.requesters(), settle);
    }
  }

  private Measurement loop(
      RequestSigner signer, Place place, KeyKind kind, int workers, Duration settle)
      throws InterruptedException {
    try (ClosedLoop loop = new ClosedLoop(signer, kind, place.key(kind), workers)) {
      return loop.measure(settle, terms.length());
    }
  }

  /** Devices whose capacity is known: one with every kind of key, and two with one key. */
  List<Tracked> tracked() throws InterruptedException {
    Map<KeyKind, Double> millis = new EnumMap<>(KeyKind.class);
    terms.kinds().forEach(kind -> millis.put(kind, SERVICE_MILLIS.getOrDefault(kind, 0.0)));
    Place device = Place.device(folder, "keyless-device", millis, 0);
    List<Tracked> tracked = new ArrayList<>();
    try (HsmSigner signer = device.openCalibrated(terms.kinds())) {
      for (KeyKind kind : terms.kinds()) {
        tracked.add(one(device, signer, kind, capacity(millis, kind, Place.SERVERS)));
      }
    }
    tracked.add(two());
    return tracked;
  }

  private static double capacity(Map<KeyKind, Double> millis, KeyKind kind, int servers) {
    return servers * 1e3 / millis.getOrDefault(kind, Double.NaN);
  }

  private Tracked one(Place device, HsmSigner signer, KeyKind kind, double capacity)
      throws InterruptedException {
    Measurement bare = bare(device, kind, 2 * Place.SERVERS);
    try (ClosedLoop loop = new ClosedLoop(signer, kind, device.key(kind), CROWD)) {
      Measurement _ = loop.measure(terms.steered(), Duration.ofMillis(1));
      DeviceFigures before = device.figures();
      Measurement seen = loop.measure(Duration.ZERO, terms.length());
      DeviceFigures figures = device.figures();
      progress.accept(
          "HSM of %.0f/s, %s: bare %.1f/s, adapter %.1f/s, queue p99 %d (settling: %d)"
              .formatted(
                  capacity,
                  kind,
                  bare.perSecond(),
                  seen.perSecond(),
                  figures.queueP99(),
                  before.queueP99()));
      return new Tracked(
          "one HSM", capacity, seen, Optional.of(bare), Optional.of(figures), QUEUE_BOUND);
    }
  }

  /** Two tokens with one key, as a node routes over them. */
  private Tracked two() throws InterruptedException {
    KeyKind kind = KeyKind.EC_P256;
    Map<KeyKind, Double> millis = Map.of(kind, 8.0);
    KeyPair pair = newPair();
    Place a = Place.replica(folder, "keyless-a", millis, pair);
    Place b = Place.replica(folder, "keyless-b", millis, pair);
    double capacity = 2 * capacity(millis, kind, Place.SERVERS);
    try (TwoTokens group = TwoTokens.open(a, b, kind);
        ClosedLoop loop = new ClosedLoop(group.signer(), kind, a.key(kind), 2 * CROWD)) {
      Measurement seen = loop.measure(terms.steered(), terms.length());
      progress.accept(
          "two HSMs of %.0f/s together, %s: %.1f/s".formatted(capacity, kind, seen.perSecond()));
      return new Tracked("two HSMs", capacity, seen, Optional.empty(), Optional.empty(), 0);
    }
  }

  private static KeyPair newPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /**
   * EC alone, alongside RSA, alone again: on a device with engines apart, shared, and on SoftHSM.
   */
  List<Mixed> mixed() throws InterruptedException {
    Place shared = Place.device(folder, "keyless-shared", MIXED_MILLIS, 0);
    Place soft = Place.softHsm("keyless-mixed", List.of(KeyKind.EC_P256, KeyKind.RSA_2048));
    List<Mixed> mixed = new ArrayList<>(List.of(apart()));
    // As many as there are engines: EC wants them all, or its part would be what it asks for.
    mixed.add(
        mixed(shared, Judge.SHARED, Place.SERVERS, new Crowds(2 * Place.SERVERS, RSA_WORKERS)));
    Crowds crowds = new Crowds(EC_WORKERS_OF_PROCESSORS, RSA_WORKERS_OF_PROCESSORS);
    mixed.add(mixed(soft, Judge.PROCESSORS, 0, crowds));
    mixed.add(mixedBare(soft, crowds));
    return mixed;
  }

  /** Half of the engines sign with EC keys alone. */
  Mixed apart() throws InterruptedException {
    int half = Place.SERVERS / 2;
    Place apart = Place.device(folder, "keyless-apart", MIXED_MILLIS, half);
    return mixed(apart, Judge.APART, half, new Crowds(EC_WORKERS, RSA_WORKERS));
  }

  private record Crowds(int ec, int rsa) {}

  private Mixed mixed(Place place, String where, int engines, Crowds crowds)
      throws InterruptedException {
    KeyKind ec = KeyKind.EC_P256;
    KeyKind rsa = KeyKind.RSA_2048;
    try (HsmSigner signer = place.openCalibrated(List.of(ec, rsa))) {
      Measurement before = loop(signer, place, ec, crowds.ec(), terms.steered());
      List<Measurement> both;
      try (ClosedLoop quick = new ClosedLoop(signer, ec, place.key(ec), crowds.ec());
          ClosedLoop slow = new ClosedLoop(signer, rsa, place.key(rsa), crowds.rsa())) {
        both = ClosedLoop.measure(List.of(quick, slow), terms.steered(), terms.length());
      }
      Measurement after = loop(signer, place, ec, crowds.ec(), terms.steered());
      return reported(
          new Mixed(
              where,
              Judge.ADAPTER,
              before,
              both.getFirst(),
              both.getLast(),
              after,
              engines == 0 ? 0 : capacity(MIXED_MILLIS, ec, engines),
              engines == 0 ? 0 : capacity(MIXED_MILLIS, rsa, engines)));
    }
  }

  /** The contrast: two programs that know nothing of each other. */
  private Mixed mixedBare(Place soft, Crowds crowds) throws InterruptedException {
    BareToken bare = soft.bare(terms.program());
    Measurement before = bare(soft, KeyKind.EC_P256, crowds.ec());
    BareToken.Running quick =
        bare.start(KeyKind.EC_P256, crowds.ec(), terms.settle(), terms.length());
    BareToken.Running slow =
        bare.start(KeyKind.RSA_2048, crowds.rsa(), terms.settle(), terms.length());
    Measurement alongside = quick.await();
    Measurement rsa = slow.await();
    Measurement after = bare(soft, KeyKind.EC_P256, crowds.ec());
    return reported(new Mixed(Judge.PROCESSORS, Judge.BARE, before, alongside, rsa, after, 0, 0));
  }

  private Mixed reported(Mixed mixed) {
    progress.accept(
        "%s, %s: EC %.0f/s, alongside RSA %.0f/s (RSA %.1f/s), again %.0f/s"
            .formatted(
                mixed.where(),
                mixed.by(),
                mixed.before().perSecond(),
                mixed.alongside().perSecond(),
                mixed.rsa().perSecond(),
                mixed.after().perSecond()));
    return mixed;
  }
}
