package org.sluiceca.api.revocation.blocked;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.revocation.store.CompromisedKeyStore.Recorded;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.x509.OctetString;

/** A node holds the newest of the compromised keys, however many there are. */
class KnownCompromisedKeysTest {

  private static final Instant START = Instant.parse("2026-05-04T10:00:00Z");

  private final List<Recorded> stored = new ArrayList<>();
  private final List<Instant> asked = new ArrayList<>();

  private List<Recorded> since(Instant newest, int max) {
    asked.add(newest);
    return stored.reversed().stream().filter(key -> key.at().isAfter(newest)).limit(max).toList();
  }

  private static KeyFingerprint key(int number) {
    byte[] sha256 = new byte[32];
    sha256[0] = (byte) number;
    return new KeyFingerprint(OctetString.copyOf(sha256));
  }

  private void store(int number) {
    stored.add(new Recorded(key(number), START.plusSeconds(number)));
  }

  @Test
  void look_moreThanItHolds_holdsTheNewest() {
    KnownCompromisedKeys known = new KnownCompromisedKeys(this::since, 3);
    for (int i = 0; i < 5; i++) {
      store(i);
    }
    known.look();

    assertThat(List.of(key(2), key(3), key(4))).allMatch(known::contains);
    assertThat(List.of(key(0), key(1))).noneMatch(known::contains);

    store(5);
    known.look();

    assertThat(List.of(key(3), key(4), key(5))).allMatch(known::contains);
    assertThat(known.contains(key(2))).isFalse();
    assertThat(asked).containsExactly(Instant.EPOCH, START.plusSeconds(4));
  }
}
