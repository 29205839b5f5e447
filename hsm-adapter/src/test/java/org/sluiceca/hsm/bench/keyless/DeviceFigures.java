package org.sluiceca.hsm.bench.keyless;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a simulated HSM says of its last seconds.
 *
 * @param utilisation of all its servers, 0 to 1
 * @param queueP99 jobs in its own queue, over time
 */
record DeviceFigures(double utilisation, int queueP50, int queueP99) {

  private static final Pattern UTILISATION = Pattern.compile("\"utilisation\":([0-9.]+)");
  private static final Pattern P50 = Pattern.compile("\"p50\":(\\d+)");
  private static final Pattern P99 = Pattern.compile("\"p99\":(\\d+)");

  /** Reads the line that {@code nethsm STATE stats --json} prints. */
  static DeviceFigures parse(String json) {
    return new DeviceFigures(
        Double.parseDouble(found(UTILISATION, json)),
        Integer.parseInt(found(P50, json)),
        Integer.parseInt(found(P99, json)));
  }

  private static String found(Pattern pattern, String json) {
    Matcher matcher = pattern.matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("the device does not say " + pattern);
    }
    return matcher.group(1);
  }
}
