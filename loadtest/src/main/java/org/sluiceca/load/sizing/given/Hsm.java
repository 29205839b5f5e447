package org.sluiceca.load.sizing.given;

import java.util.Map;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * One HSM, as it was measured ({@code ceremony calibrate}) or as its vendor says.
 *
 * @param name for the answer
 * @param perSecond signatures a second of each kind of key, when it does nothing else
 * @param engines how many it makes at once, 1 to 1,000
 * @param source who says so
 */
public record Hsm(String name, Map<KeyKind, Double> perSecond, int engines, String source) {

  public Hsm {
    perSecond = Map.copyOf(perSecond);
    if (engines < 1 || engines > 1_000) {
      throw new InputException("hsm.engines is to be 1 to 1000");
    }
    perSecond.forEach(
        (kind, rate) -> {
          if (!(rate > 0 && rate <= 1e7)) {
            throw new InputException("hsm." + kind.text() + " is to be above 0, up to 1e7");
          }
        });
  }

  /**
   * Returns the seconds of the whole HSM that a signature takes.
   *
   * @throws InputException if its rate was not given
   */
  public double secondsOf(KeyKind kind) {
    Double rate = perSecond.get(kind);
    if (rate == null) {
      throw new InputException(
          Text.format(
              "%s signs with %s how often a second? Not given: --hsm-rate KIND=NUMBER,KIND=NUMBER",
              name, kind.text()));
    }
    return 1 / rate;
  }
}
