package org.sluiceca.hsm.bench.keyless;

import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import org.sluiceca.hsm.testkit.NetHsm;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;
import org.sluiceca.hsm.vendor.CkrProfile;

/**
 * A token of the benchmark, with a key of each kind: SoftHSM's own, or behind a simulated network
 * HSM.
 */
final class Place {
  /** Of the simulated HSMs: as the netHSM 2000 of the field. */
  static final int DEVICE_QUEUE = 150;

  static final int SERVERS = 8;

  /** What the widest window may need: 0.6 of the device's queue, and its servers. */
  private static final int SESSIONS = 98;

  private final Path module;
  private final SoftToken token;
  private final String vendor;
  private final Optional<NetHsm> device;
  private final Map<KeyKind, KeyRef> keys = new EnumMap<>(KeyKind.class);

  private Place(Path module, SoftToken token, String vendor, Optional<NetHsm> device) {
    this.module = module;
    this.token = token;
    this.vendor = vendor;
    this.device = device;
  }

  /** A fresh SoftHSM token, on this machine's processors. */
  static Place softHsm(String name, Collection<KeyKind> kinds) {
    SoftToken token = SoftHsm.newToken(name);
    Place made = new Place(SoftHsm.library(), token, "softhsm", Optional.empty());
    made.makeKeys(kinds);
    return made;
  }

  /**
   * A simulated network HSM of 8 servers and a queue of 150.
   *
   * @param folder not deleted while the process lives
   * @param serviceMillis of each kind of key that is made
   * @param ecServers of them, those that sign with EC keys alone while the others sign with RSA
   *     keys alone; 0 if all sign with all
   */
  static Place device(Path folder, String name, Map<KeyKind, Double> serviceMillis, int ecServers) {
    Place made = device(folder, SoftHsm.newToken(name), serviceMillis, ecServers);
    made.makeKeys(serviceMillis.keySet());
    return made;
  }

  /** A simulated network HSM with a P-256 key that others have as well. */
  static Place replica(Path folder, String name, Map<KeyKind, Double> serviceMillis, KeyPair pair) {
    KeyKind kind = KeyKind.EC_P256;
    SoftToken token = SoftHsm.newToken(name);
    SoftHsm.importKey(token, kind.id(), pair);
    Place made = device(folder, token, serviceMillis, 0);
    made.keys.put(
        kind, new KeyRef(kind.id(), SubjectPublicKeyInfo.of(pair.getPublic().getEncoded())));
    return made;
  }

  private static Place device(
      Path folder, SoftToken token, Map<KeyKind, Double> serviceMillis, int ecServers) {
    List<String> options = new ArrayList<>(List.of("--profile", "netHSM2000"));
    options.addAll(List.of("--servers", "" + SERVERS, "--queue", "" + DEVICE_QUEUE));
    options.addAll(List.of("--rtt", "1"));
    if (ecServers > 0) {
      options.addAll(List.of("--ec-servers", "" + ecServers));
    }
    serviceMillis.forEach(
        (kind, millis) -> options.addAll(List.of("--service", kind + "=" + millis)));
    NetHsm made = NetHsm.create(folder, token.label(), options.toArray(String[]::new));
    return new Place(made.module(), token, "nethsm", Optional.of(made));
  }

  private void makeKeys(Collection<KeyKind> kinds) {
    try (KeyCeremony ceremony = ceremony()) {
      for (KeyKind kind : kinds) {
        keys.put(kind, ceremony.generateIfAbsent(kind.id(), kind.toString(), kind.algorithm()));
      }
    }
  }

  private KeyCeremony ceremony() {
    return KeyCeremony.open(module, token.label(), token.pin());
  }

  KeyRef key(KeyKind kind) {
    return Optional.ofNullable(keys.get(kind)).orElseThrow();
  }

  /** The loop in C on the same token; {@code program} is {@code bare_token}. */
  BareToken bare(Path program) {
    return new BareToken(program, module, token.label(), token.pin());
  }

  /** The adapter with that number of sessions, all of them the window. */
  HsmSigner open(int sessions) {
    return HsmSigner.open(settings().withSessions(sessions), keys.values(), HsmObserver.NONE);
  }

  /** The adapter as a node has it that is alone with the token: calibrated, a steered window. */
  HsmSigner openCalibrated(Collection<KeyKind> kinds) {
    return HsmSigner.open(settings(calibrate(kinds)), keys.values(), HsmObserver.NONE);
  }

  Calibration calibrate(Collection<KeyKind> kinds) {
    try (KeyCeremony ceremony = ceremony()) {
      return ceremony.calibrate(kinds.stream().map(KeyKind::signatureClass).toList());
    }
  }

  HsmSettings settings(Calibration calibration) {
    int groups = calibration.groups().size();
    return settings()
        .withWindows(
            SESSIONS,
            calibration.groups().stream()
                .map(group -> new Window.Steered(group, DEVICE_QUEUE / groups, 1))
                .toList());
  }

  private HsmSettings settings() {
    return HsmSettings.of(module, token.label(), token.pin()).withVendor(CkrProfile.named(vendor));
  }

  /** What the device says of itself since it was last asked so. */
  DeviceFigures figures() {
    return DeviceFigures.parse(device.orElseThrow().ask("stats", "--json", "--reset"));
  }
}
