package org.sluiceca.hsm.isolate;

import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** The module in this process. */
class WrapperCryptokiTest extends CryptokiContract {
  @Override
  Cryptoki open(SoftToken token) {
    return WrapperCryptoki.load(SoftHsm.library());
  }

  @Override
  void close() {
    // One library is loaded once and stays; the next test initialises it again.
  }
}
