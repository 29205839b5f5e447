package org.sluiceca.hsm.route;

import java.time.Duration;
import java.util.List;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.TokenSigner;

/** The fake keeps the contract. */
class FakeTokenTest extends TokenSignerContract {
  // Opened in each test.
  @SuppressWarnings("NullAway.Init")
  private FakeToken token;

  @Override
  protected TokenSigner open(Duration callTimeout) {
    token = new FakeToken(callTimeout, here());
    return token.opened(List.of(here(), elsewhere()), observer);
  }

  @Override
  protected KeyRef here() {
    return FakeToken.key(1);
  }

  @Override
  protected KeyRef elsewhere() {
    return FakeToken.key(2);
  }

  @Override
  protected void lose() {
    token.lose();
  }

  @Override
  protected void giveBack() {
    token.giveBack();
  }

  @Override
  protected void hang() {
    token.hang();
  }

  @Override
  protected void release() {
    token.release();
  }
}
