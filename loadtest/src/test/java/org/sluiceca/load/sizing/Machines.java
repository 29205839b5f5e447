package org.sluiceca.load.sizing;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;

/** A machine of round numbers. */
final class Machines {

  /** Of handshakes. */
  static final Machine.Handshakes NOT_MEASURED =
      new Machine.Handshakes(Map.of(), OptionalDouble.empty(), Map.of());

  private Machines() {}

  static Machine of(Machine.Handshakes handshakes) {
    Map<KeyKind, Double> verify = new EnumMap<>(KeyKind.class);
    for (KeyKind kind : KeyKind.values()) {
      verify.put(kind, 100.0);
    }
    return new Machine(
        "a machine",
        new Machine.NodeMicros(1_000, 2_000, 100),
        handshakes,
        verify,
        200,
        new Machine.Memory(200, 10, 10_000),
        new Machine.Disk(2_000, 1_000, 5_000));
  }
}
