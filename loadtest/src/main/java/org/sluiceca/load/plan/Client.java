package org.sluiceca.load.plan;

import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * How the generator behaves.
 *
 * @param isPoisson whether requests come at random, as of many clients that know nothing of each
 *     other, or evenly
 * @param waitSeconds what {@code Prefer: wait} says, 0 to 30
 * @param connectionsMax requests that may be without an answer at a time, 1 to 20,000
 * @param seed of all random numbers
 * @param key of the certificates that are asked for: {@code ec-p256} or {@code rsa-2048}
 */
public record Client(
    boolean isPoisson, int waitSeconds, int connectionsMax, long seed, String key) {

  /** The kind of key of most plans: the cheapest to make. */
  public static final String EC = "ec-p256";

  /** The other kind. */
  public static final String RSA = "rsa-2048";

  /** Validates. */
  public Client {
    PlanFile.range("client.wait", waitSeconds, 0, 30);
    PlanFile.range("client.connections", connectionsMax, 1, 20_000);
    if (!key.equals(EC) && !key.equals(RSA)) {
      throw new InputException(Text.format("client.key is %s or %s, not %s", EC, RSA, key));
    }
  }
}
