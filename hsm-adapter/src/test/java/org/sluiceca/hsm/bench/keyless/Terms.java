package org.sluiceca.hsm.bench.keyless;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a run is made.
 *
 * @param program {@code bare_token}
 * @param warmUp before all, so that the JVM has compiled the way to the token
 * @param settle before each measurement
 * @param steered the same where a window has to find its width
 * @param length of each
 * @param rounds in which the bare token and the adapter take turns
 * @param kinds of keys
 * @param crews of each kind; the last is judged
 */
record Terms(
    Path program,
    Duration warmUp,
    Duration settle,
    Duration steered,
    Duration length,
    int rounds,
    List<KeyKind> kinds,
    List<Crew> crews) {

  /**
   * Who is at work.
   *
   * @param sessions of the token, each with a thread: workers of the bare token
   * @param requesters of the adapter
   */
  record Crew(int sessions, int requesters) {

    /** A requester for each session: none waits for another. */
    static Crew of(int workers) {
      return new Crew(workers, workers);
    }
  }

  Terms {
    kinds = List.copyOf(kinds);
    crews = List.copyOf(crews);
  }
}
