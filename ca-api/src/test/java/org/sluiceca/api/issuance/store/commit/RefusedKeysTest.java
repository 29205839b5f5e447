package org.sluiceca.api.issuance.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
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
  void add_full_replacesOneAndHoldsTheNewest() {
    RefusedKeys keys = new RefusedKeys(3, new Random(1));
    for (int number : List.of(1, 2, 1, 3, 4)) {
      keys.add(Intents.ALICE, key(number));
    }

    assertThat(keys.contains(Intents.ALICE, key(4))).isTrue();
    assertThat(List.of(key(1), key(2), key(3)))
        .filteredOn(k -> keys.contains(Intents.ALICE, k))
        .hasSize(2);
  }

  /** As a requester asks again and again, key after key, for more than are held. */
  @Test
  void contains_cyclesThroughMoreKeysThanItHolds_mostAreFound() {
    RefusedKeys keys = new RefusedKeys(80, new Random(1));
    int asked = 0;
    int found = 0;
    for (int round = 0; round < 50; round++) {
      for (int number = 0; number < 100; number++) {
        asked++;
        if (keys.contains(Intents.ALICE, key(number))) {
          found++;
        } else {
          keys.add(Intents.ALICE, key(number));
        }
      }
    }

    assertThat(found).isGreaterThan(asked / 2);
  }
}
