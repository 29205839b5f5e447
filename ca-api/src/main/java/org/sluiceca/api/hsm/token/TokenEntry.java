package org.sluiceca.api.hsm.token;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.hsm.HsmLanes;
import org.sluiceca.api.hsm.lease.WindowSettings;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.route.TokenPolicy;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.vendor.CkrProfile;
import org.springframework.boot.convert.DurationStyle;

/**
 * A token as an operator writes it; docs/CONFIGURATION.md explains each key.
 *
 * @param callTimeout such as {@code 5s}
 * @param vendor the name of a profile of return values; by the module's file name if it is missing
 * @param preference {@code preferred} or {@code backup}
 */
public record TokenEntry(
    @Nullable String name,
    @Nullable Path module,
    @Nullable String tokenLabel,
    @Nullable Path pinFile,
    @Nullable Integer sessions,
    @Nullable Integer queueCapacity,
    @Nullable String callTimeout,
    @Nullable Boolean isolated,
    @Nullable String vendor,
    @Nullable String preference,
    @Nullable String region) {

  /** An entry of these, all else by default. */
  public static TokenEntry of(
      String name,
      @Nullable Path module,
      @Nullable String tokenLabel,
      @Nullable Path pinFile,
      @Nullable String vendor) {
    return new TokenEntry(
        name, module, tokenLabel, pinFile, null, null, null, null, vendor, null, null);
  }

  /**
   * The token that it says.
   *
   * @throws IllegalArgumentException with one line that names the key at fault
   */
  public TokenSettings settings(TokenDefaults defaults) {
    Path library = required("module", module);
    if (sessions != null && sessions < 1) {
      throw new IllegalArgumentException("sessions must be 1 to 256, not " + sessions);
    }
    int asked = sessions == null ? defaults.sessions() : sessions;
    int threads = asked == 0 ? WindowSettings.FIXED_SESSIONS : asked;
    HsmSettings hsm =
        new HsmSettings(
            library,
            required("token-label", tokenLabel),
            new PinFile(required("pin-file", pinFile)),
            threads,
            queueCapacity == null ? defaults.queueCapacity() : queueCapacity,
            HsmLanes.SHARES,
            List.of(new Window.Fixed(threads)),
            callTimeout == null ? defaults.callTimeout() : duration(callTimeout),
            vendor == null ? CkrProfile.forModule(library) : CkrProfile.named(vendor),
            isolated == null ? defaults.isolated() : isolated);
    TokenPolicy policy =
        new TokenPolicy(
            preference == null ? TokenPolicy.Preference.PREFERRED : preference(preference),
            region == null ? "" : region);
    return new TokenSettings(required("name", name), hsm, policy, asked == 0);
  }

  private static <T> T required(String key, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }

  private static Duration duration(String text) {
    try {
      return DurationStyle.detectAndParse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("call-timeout '" + text + "' is no time such as 5s", e);
    }
  }

  private static TokenPolicy.Preference preference(String text) {
    for (TokenPolicy.Preference each : TokenPolicy.Preference.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException("preference '" + text + "' is not preferred or backup");
  }
}
