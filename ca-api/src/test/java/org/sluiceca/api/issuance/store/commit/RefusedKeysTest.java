package org.sluiceca.api.issuance.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.OctetString;

/** A node's memory of refused keys is bounded, and another requester's key is another entry. */
class RefusedKeysTest {

  private static KeyFingerprint key(int number) {
    byte[] sha256 = new byte[32];
    sha256[0] = (byte) number;
    return new KeyFingerprint(OctetString.copyOf(sha256));
  }

  @Test
  void contains_added_forItsRequesterAlone() {
    RefusedKeys keys = new RefusedKeys();
    keys.add(Intents.ALICE, key(1));

    assertThat(keys.contains(Intents.ALICE, key(1))).isTrue();
    assertThat(keys.contains(Intents.BOB, key(1))).isFalse();
    assertThat(keys.contains(Intents.ALICE, key(2))).isFalse();
  }

  @Test
  void add_moreThanItHolds_holdsTheNewest() {
    RefusedKeys keys = new RefusedKeys(3);
    for (int number : List.of(1, 2, 1, 3, 4)) {
      keys.add(Intents.ALICE, key(number));
    }

    assertThat(keys.contains(Intents.ALICE, key(1))).isFalse();
    assertThat(List.of(key(2), key(3), key(4))).allMatch(k -> keys.contains(Intents.ALICE, k));
  }
}
