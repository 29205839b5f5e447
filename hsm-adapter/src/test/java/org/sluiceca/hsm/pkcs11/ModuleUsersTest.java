package org.sluiceca.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ModuleUsersTest {

  private static final long SECOND = 1_000_000_000;
  private static final long LOST = 100 * SECOND;

  private final ModuleUsers users = new ModuleUsers();
  private final Object me = new Object();
  private final AtomicLong signed = new AtomicLong();

  private void join(Object user, String token, boolean isThere) {
    users.join(user, new ModuleUsers.Use(token, () -> isThere, signed::get));
  }

  private boolean areOthersWorking(long now) {
    return users.areOthersWorking(me, LOST, now);
  }

  @Test
  void alone_nobody() {
    join(me, "a", true);
    assertThat(areOthersWorking(LOST)).isFalse();
  }

  @Test
  void anotherToken_countsAlthoughItIsIdle() {
    join(me, "a", false);
    join("other", "b", true);
    assertThat(areOthersWorking(LOST)).isTrue();

    join("other", "b", false);
    assertThat(areOthersWorking(LOST)).isFalse();
  }

  /** It would not know: idle sessions notice nothing. */
  @Test
  void sameToken_idleSinceTheLoss_doesNotCount() {
    join(me, "a", false);
    join("sibling", "a", true);
    signed.set(LOST - 1);
    assertThat(areOthersWorking(LOST + SECOND)).isFalse();
  }

  @Test
  void sameToken_countsForAMomentAfterItSigned() {
    join(me, "a", false);
    join("sibling", "a", true);
    signed.set(LOST + 10 * SECOND);
    assertThat(areOthersWorking(LOST + 11 * SECOND)).isTrue();
    assertThat(areOthersWorking(LOST + 13 * SECOND)).isFalse();
  }
}
