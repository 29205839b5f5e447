package org.sluiceca.load.bench.idle;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.load.bench.RecordLine;
import org.sluiceca.load.page.Text;

/**
 * What {@code bench idle} wrote down: a line each, fields parted by tabs. A fact has a name and a
 * value, and the components of the other records are {@code name=value}.
 */
record IdleRun(
    Map<String, String> facts, List<Start> starts, List<Window> windows, List<Stored> stores) {

  /** Above this, other work has taken part in the result. */
  private static final double OTHERS_SHARE_MAX = 0.10;

  /**
   * The processor time of a CA's process, in microseconds since its process began.
   *
   * @param rate of the load that followed, requests a second
   * @param readyMicros when it was ready
   * @param readyJitMicros of its JIT compilers, a part of the above; NaN if it has none
   * @param loadMicros when its load began
   */
  record Start(
      String product, int rate, long readyMicros, double readyJitMicros, long loadMicros) {}

  /**
   * What a CA's store held before and after a load, as the store reports it.
   *
   * @param verified "ok" if openssl verified one certificate up to its root, "none" if there is
   *     none, otherwise what openssl reported
   * @param durability the settings by which an answered certificate survives a crash
   */
  record Stored(
      String product, int rate, long before, long after, String verified, String durability) {

    /** Returns how many certificates came. */
    @JsonProperty
    long added() {
      return after - before;
    }
  }

  /**
   * Reads the lines.
   *
   * @throws IllegalArgumentException naming a line that is not one of these
   */
  static IdleRun parse(List<String> lines) {
    Map<String, String> facts = new LinkedHashMap<>();
    List<Start> starts = new ArrayList<>();
    List<Window> windows = new ArrayList<>();
    List<Stored> stores = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String[] fields = lines.get(i).split("\t", -1);
      String[] words = Arrays.copyOfRange(fields, 1, fields.length);
      try {
        switch (fields[0]) {
          case "fact" -> addFact(facts, words);
          case "start" -> starts.add(RecordLine.parse(Start.class, words));
          case "window" -> windows.add(RecordLine.parse(Window.class, words));
          case "stored" -> stores.add(RecordLine.parse(Stored.class, words));
          default -> throw new IllegalArgumentException("neither fact, start, window nor stored");
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return new IdleRun(
        Collections.unmodifiableMap(facts),
        List.copyOf(starts),
        List.copyOf(windows),
        List.copyOf(stores));
  }

  private static void addFact(Map<String, String> facts, String... words) {
    if (words.length != 2 || facts.put(words[0], words[1]) != null) {
      throw new IllegalArgumentException("a fact has a name of its own and a value");
    }
  }

  String fact(String name) {
    return facts.getOrDefault(name, "?");
  }

  /** Returns the windows of a CA at a rate, in their order. */
  List<Window> of(String product, int rate) {
    return windows.stream()
        .filter(window -> window.product().equals(product) && window.rate() == rate)
        .toList();
  }

  /** Returns what a CA sent for certificates it added to its store. */
  List<Window> of(Stored store) {
    return of(store.product(), store.rate());
  }

  /** Returns the window that goals are for: after the fresh one, before the last. */
  Optional<Window> judged(String product, int rate) {
    return of(product, rate).stream().skip(1).findFirst();
  }

  /** Returns what makes the figures worthless. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Stored store : stores) {
      long issued = of(store).stream().mapToLong(Window::issued).sum();
      long sent = of(store).stream().mapToLong(Window::sent).sum();
      String name = Text.format("%s, %d/s", store.product(), store.rate());
      if (store.added() < issued || store.added() > sent) {
        faults.add(
            Text.format(
                "%s: %d requests were sent, %d certificates were answered, %d are stored",
                name, sent, issued, store.added()));
      }
      if (issued > 0 && !store.verified().equals("ok")) {
        faults.add(name + ": its certificate does not verify: " + store.verified());
      }
    }
    for (Window window : windows) {
      if (window.due() > 0 && window.issued() == 0) {
        faults.add(window.name() + ": nothing was issued");
      }
      if (stores.stream().filter(store -> of(store).contains(window)).count() != 1) {
        faults.add(window.name() + ": its store was not counted once");
      }
    }
    return faults;
  }

  /** Returns what a reader must know in addition to the figures. */
  List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    for (Window window : windows) {
      if (window.refused() > 0) {
        doubts.add(
            Text.format(
                "%s: %d answers without a certificate, %d requests without an answer",
                window.name(), window.other(), window.errors()));
      }
      if (window.sent() < window.due()) {
        doubts.add(
            Text.format(
                "%s: %d requests were due, %d were sent",
                window.name(), window.due(), window.sent()));
      }
      if (window.othersShare() > OTHERS_SHARE_MAX) {
        doubts.add(
            Text.format(
                "%s: other processes had %.0f %% of the processors",
                window.name(), 100 * window.othersShare()));
      }
    }
    return doubts;
  }
}
