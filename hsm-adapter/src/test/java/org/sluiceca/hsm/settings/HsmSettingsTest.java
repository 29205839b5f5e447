package org.sluiceca.hsm.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Pin;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.Window;

class HsmSettingsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void settings_boundsAndOneBeyond() {
    HsmSettings settings = settings();

    settings.withSessions(1).withSessions(256).withQueueCapacity(1).withQueueCapacity(65_536);
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withSessions(0));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withSessions(257));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withQueueCapacity(0));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withQueueCapacity(65_537));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withCallTimeout(Duration.ofMillis(99)));
  }

  @Test
  void settings_windowWiderThanSessions_contradiction() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings().withSessions(4).withWindow(new Window.Fixed(5)))
        .withMessage("the window must be 1 to the number of sessions (4), not 5");
  }

  @Test
  void settings_toString_hidesThePin() throws IOException {
    Path file = Files.writeString(folder.resolve("pin"), "13572468\n");
    HsmSettings settings = HsmSettings.of(Path.of("m.so"), "t", new PinFile(file));

    assertThat(settings.toString()).doesNotContain("13572468");
    try (Pin pin = settings.pin().read()) {
      assertThat(pin.toString()).doesNotContain("13572468");
      assertThat(pin.characters()).containsExactly("13572468".toCharArray());
    }
  }

  @Test
  void close_pin_wiped() throws IOException {
    Pin pin = new PinFile(Files.writeString(folder.resolve("pin"), "99")).read();
    pin.close();

    assertThat(pin.characters()).containsExactly('\0', '\0');
  }

  @Test
  void read_missingOrEmptyFile_oneClearLine() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty"), "\n");

    assertThatThrownBy(() -> new PinFile(empty).read())
        .isInstanceOf(HsmException.PinUnreadable.class)
        .hasMessage("the PIN file " + empty + " is empty");
    assertThatThrownBy(() -> new PinFile(folder.resolve("none")).read())
        .isInstanceOf(HsmException.PinUnreadable.class)
        .hasMessageStartingWith("cannot read the PIN file ");
  }

  private static HsmSettings settings() {
    return HsmSettings.of(Path.of("m.so"), "t", new PinFile(Path.of("pin")));
  }
}
