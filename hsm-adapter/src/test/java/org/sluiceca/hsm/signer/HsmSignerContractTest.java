package org.sluiceca.hsm.signer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.route.TokenSignerContract;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/** The lane and its threads keep what a group relies on. */
class HsmSignerContractTest extends TokenSignerContract {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final FakeCryptoki cryptoki = new FakeCryptoki("contract");

  @Override
  protected TokenSigner open(Duration callTimeout) throws IOException {
    PinFile pin = new PinFile(Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n"));
    HsmSettings settings =
        HsmSettings.of(Path.of("fake.so"), "contract", pin)
            .withSessions(2)
            .withCallTimeout(callTimeout);
    return HsmSigner.open(settings, List.of(here(), elsewhere()), observer, cryptoki);
  }

  @Override
  protected KeyRef here() {
    return cryptoki.keyRef();
  }

  @Override
  protected KeyRef elsewhere() {
    return new KeyRef(CkaId.parse("01"), SubjectPublicKeyInfo.of(new byte[] {0x30, 0}));
  }

  @Override
  protected void lose() {
    cryptoki.present = false;
  }

  @Override
  protected void giveBack() {
    cryptoki.present = true;
  }

  @Override
  protected void hang() {
    cryptoki.hang = new CountDownLatch(1);
  }

  @Override
  protected void release() {
    CountDownLatch hang = cryptoki.hang;
    cryptoki.hang = null;
    if (hang != null) {
      hang.countDown();
    }
  }
}
