package org.sluiceca.api.platform.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.x509.OctetString;

class SecretKeysTest {

  private static final String ONE = "1 " + "A".repeat(43) + "\n";
  private static final String TWO = "2 " + "B".repeat(42) + "A\n";
  private static final OctetString SECRET = OctetString.copyOf(new byte[] {1, 2, 3});

  private static SecretKeys keys(String text) {
    return SecretKeys.parse("keys", text);
  }

  @Test
  void open_whatWasSealed_theSecret() {
    OctetString sealed = keys(ONE).seal("row 1", SECRET);

    assertThat(keys(ONE).open("row 1", sealed)).isEqualTo(SECRET);
    assertThat(keys(ONE).seal("row 1", SECRET)).isNotEqualTo(sealed);
    // A newer key encrypts; the older one still decrypts.
    SecretKeys both = keys("# the keys\n" + ONE + "\n" + TWO);
    assertThat(both.open("row 1", sealed)).isEqualTo(SECRET);
    assertThat(both.seal("row 1", SECRET).octets()[0]).isEqualTo((byte) 2);
  }

  @Test
  void open_otherRowKeyOrOctets_isRefused() {
    OctetString sealed = keys(ONE).seal("row 1", SECRET);

    assertThatIllegalStateException().isThrownBy(() -> keys(ONE).open("row 2", sealed));
    assertThatIllegalStateException()
        .isThrownBy(() -> keys(TWO).open("row 1", sealed))
        .withMessageContaining("key 1");
    byte[] changed = sealed.octets();
    changed[changed.length - 1] ^= 1;
    assertThatIllegalStateException()
        .isThrownBy(() -> keys(ONE).open("row 1", OctetString.copyOf(changed)));
    assertThatIllegalStateException()
        .isThrownBy(() -> keys(ONE).open("row 1", OctetString.copyOf(new byte[12])));
  }

  @Test
  void derive_purposeAndSalt_areOfItsKey() {
    OctetString derived = keys(ONE).derive(1, "a", new byte[] {1});

    assertThat(derived.length()).isEqualTo(32);
    assertThat(keys(ONE).derive(1, "a", new byte[] {1})).isEqualTo(derived);
    assertThat(keys(ONE).derive(1, "b", new byte[] {1})).isNotEqualTo(derived);
    assertThat(keys(ONE).derive(1, "a", new byte[] {2})).isNotEqualTo(derived);
    assertThat(keys(ONE).derive(9, "a", new byte[] {1}).length()).isZero();
  }

  @Test
  void newFile_isRead() {
    assertThat(keys(SecretKeys.newFile()).newest()).isEqualTo(1);
    assertThat(SecretKeys.newFile()).isNotEqualTo(SecretKeys.newFile());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "1", "1 AAAA", "256 AAAA", "x AAAA", "1  AAAA"})
  void parse_noKeys_isRefusedWithoutThem(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys(text.replace("AAAA", "A".repeat(43) + "A")))
        .withMessageContaining("keys")
        .withMessageNotContaining("AAAA");
    assertThatIllegalArgumentException().isThrownBy(() -> keys(ONE + ONE));
    assertThatIllegalArgumentException().isThrownBy(() -> keys("256 " + "A".repeat(43) + "\n"));
    assertThatIllegalArgumentException().isThrownBy(() -> SecretKeys.read(Path.of("/nowhere")));
  }
}
