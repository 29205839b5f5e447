package org.sluiceca.core.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.sluiceca.core.failure.RejectedException;

/**
 * What steps 2 to 4 cost one thread, in processor time and in bytes allocated: both hold next to
 * other work, where the time that passes says nothing. Two builds are compared by running them in
 * turn. P-256 keys, the native verifier.
 */
final class LineCost {

  private static final int PLANS = 20_000;
  private static final int ROUNDS = 10;

  private LineCost() {}

  /** Prints a line for each round of 20,000 plans, and the medians of the later half. */
  static void print() throws RejectedException {
    Requests requests = new Requests();
    requests.key = "ec-p256";
    requests.make();
    LineBenchmark line = new LineBenchmark();
    line.verifier = "native";
    line.choose(requests);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double[] micros = new double[ROUNDS];
    double[] bytes = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long nanosBefore = threads.getCurrentThreadCpuTime();
      long bytesBefore = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < PLANS; i++) {
        line.steps2To4(requests);
      }
      micros[round] = (threads.getCurrentThreadCpuTime() - nanosBefore) / 1e3 / PLANS;
      bytes[round] = (double) (threads.getCurrentThreadAllocatedBytes() - bytesBefore) / PLANS;
      System.out.printf("%2d  %6.1f us  %7.0f bytes%n", round, micros[round], bytes[round]);
    }
    System.out.printf(
        "median of the second half: %.1f us, %.0f bytes%n",
        medianOfSecondHalf(micros), medianOfSecondHalf(bytes));
  }

  private static double medianOfSecondHalf(double[] values) {
    double[] later = Arrays.copyOfRange(values, values.length / 2, values.length);
    Arrays.sort(later);
    return later[later.length / 2];
  }
}
