package org.sluiceca.hsm.ceremony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.Cryptoki.TokenInfo;
import org.sluiceca.hsm.testkit.SoftHsm;

class TokenIdentityTest {

  @TempDir private Path folder;

  @Test
  void isSame_moduleByALink_same() throws IOException {
    String label = SoftHsm.newToken("identity").label();
    String other = SoftHsm.newToken("identity-other").label();
    Path link = Files.createSymbolicLink(folder.resolve("link.so"), SoftHsm.library());
    TokenIdentity direct = TokenIdentity.of(SoftHsm.library(), label);

    assertThat(TokenIdentity.of(link, label).isSame(direct)).isTrue();
    assertThat(TokenIdentity.of(link, other).isSame(direct)).isFalse();
  }

  @Test
  void isSame_oneTokenOfTwoModules_bySerialNumber() {
    TokenIdentity one = identity("/a.so", "issuing", "0123");

    assertThat(one.isSame(identity("/a.so", "issuing", "0123"))).isTrue();
    assertThat(one.isSame(identity("/copy.so", "issuing", "0123"))).isTrue();
    assertThat(one.isSame(identity("/copy.so", "issuing", "0124"))).isFalse();
    assertThat(one.isSame(identity("/a.so", "root", "0123"))).isFalse();
  }

  /** Two devices of a manufacturer who numbers none. */
  @Test
  void isSame_noSerialNumber_byTheModule() {
    TokenIdentity one = identity("/a.so", "issuing", "");

    assertThat(one.isSame(identity("/a.so", "issuing", ""))).isTrue();
    assertThat(one.isSame(identity("/b.so", "issuing", ""))).isFalse();
  }

  @Test
  void of_noSuchTokenOrModule_saysWhich() {
    assertThatThrownBy(() -> TokenIdentity.of(SoftHsm.library(), "none"))
        .isInstanceOf(HsmException.TokenMissing.class)
        .hasMessageContaining("no token labelled \"none\"");
    assertThatThrownBy(() -> TokenIdentity.of(folder.resolve("none.so"), "none"))
        .isInstanceOf(HsmException.ModuleMissing.class)
        .hasMessageContaining("none.so");
  }

  private static TokenIdentity identity(String module, String label, String serialNumber) {
    return new TokenIdentity(
        Path.of(module), new TokenInfo(label, "Example", "Example HSM", serialNumber));
  }
}
