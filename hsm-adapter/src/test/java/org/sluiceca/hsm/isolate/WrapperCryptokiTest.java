package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  /** Two objects for one library would finalise it under each other's calls. */
  @Test
  void load_byALink_sameModule(@TempDir Path folder) throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.so"), SoftHsm.library());

    assertThat(WrapperCryptoki.load(link)).isSameAs(WrapperCryptoki.load(SoftHsm.library()));
  }

  @Override
  void close() {
    // One library is loaded once and stays; the next test initialises it again.
  }
}
