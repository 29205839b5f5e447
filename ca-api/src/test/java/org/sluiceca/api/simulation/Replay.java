package org.sluiceca.api.simulation;

/** Prints the hash over the worlds of some seeds, for a comparison between processes. */
final class Replay {

  private Replay() {}

  /** Takes the first seed and how many. */
  public static void main(String[] arguments) throws InterruptedException {
    Quiet.logs();
    System.out.println(
        Long.toHexString(hash(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]))));
  }

  static long hash(long first, int count) throws InterruptedException {
    long all = 0;
    for (long seed = first; seed < first + count; seed++) {
      all = 31 * all + Simulation.run(Workload.of(seed), Mutant.NONE, false).hash();
    }
    return all;
  }
}
