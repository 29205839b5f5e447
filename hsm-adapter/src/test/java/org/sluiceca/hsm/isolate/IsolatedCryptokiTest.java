package org.sluiceca.hsm.isolate;

import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** The module in a process of its own. */
class IsolatedCryptokiTest extends CryptokiContract {
  private @Nullable IsolatedCryptoki module;

  @Override
  Cryptoki open(SoftToken token) {
    IsolatedCryptoki started =
        IsolatedCryptoki.start(SoftHsm.library(), token.label(), HsmObserver.NONE);
    module = started;
    return started;
  }

  @Override
  void close() {
    if (module != null) {
      module.close();
    }
  }
}
