package org.sluiceca.client.renew;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HookTest {

  private static Map<String, String> restored(Map<String, String> environment) {
    Map<String, String> changed = new HashMap<>(environment);
    Hook.restoreLocale(changed);
    return changed;
  }

  @Test
  void restoreLocale_byALauncher_isTheCallers() {
    assertThat(restored(Map.of("LC_ALL", "C.UTF-8", "SLUICE_CALLER_LC_ALL", "de_DE.UTF-8")))
        .isEqualTo(Map.of("LC_ALL", "de_DE.UTF-8"));
    assertThat(restored(Map.of("LC_ALL", "C.UTF-8", "SLUICE_CALLER_LC_ALL", ""))).isEmpty();
  }

  @Test
  void restoreLocale_withoutALauncher_staysAsItIs() {
    assertThat(restored(Map.of("LC_ALL", "C"))).isEqualTo(Map.of("LC_ALL", "C"));
  }
}
