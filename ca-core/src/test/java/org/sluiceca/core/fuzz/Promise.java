package org.sluiceca.core.fuzz;

/** What a fuzz target holds of the code under it; a broken one is the fuzzer's find. */
final class Promise {

  private Promise() {}

  static void require(boolean holds, String promise) {
    if (!holds) {
      throw new AssertionError(promise);
    }
  }
}
