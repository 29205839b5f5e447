package org.sluiceca.load.plan;

/**
 * How the generator behaves.
 *
 * @param isPoisson whether requests come at random, as of many clients that know nothing of each
 *     other, or evenly
 * @param waitSeconds what {@code Prefer: wait} says, 0 to 30
 * @param connectionsMax requests that may be without an answer at a time, 1 to 20,000
 * @param seed of all random numbers
 */
public record Client(boolean isPoisson, int waitSeconds, int connectionsMax, long seed) {

  /** Validates. */
  public Client {
    PlanFile.range("client.wait", waitSeconds, 0, 30);
    PlanFile.range("client.connections", connectionsMax, 1, 20_000);
  }
}
