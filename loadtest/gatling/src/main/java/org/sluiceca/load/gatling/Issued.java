package org.sluiceca.load.gatling;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Recently issued certificates of one requester, for requests about them. Thread-safe. */
final class Issued {

  /** The largest fleet, twice. */
  private static final int MOST = 200_000;

  private final List<One> all = new ArrayList<>();

  /** A certificate, and the CSR that it was asked for with. */
  record One(String serial, int csr) {}

  /** Adds one; when there are too many it takes the place of any other. */
  synchronized void add(One one) {
    if (all.size() < MOST) {
      all.add(one);
    } else {
      all.set(ThreadLocalRandom.current().nextInt(MOST), one);
    }
  }

  /** Takes one out, so that no other request takes it. */
  synchronized Optional<One> take() {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    int last = all.size() - 1;
    int any = ThreadLocalRandom.current().nextInt(all.size());
    One taken = all.set(any, all.get(last));
    all.remove(last);
    return Optional.of(taken);
  }

  /** Returns any one. */
  synchronized Optional<One> any() {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get(ThreadLocalRandom.current().nextInt(all.size())));
  }
}
