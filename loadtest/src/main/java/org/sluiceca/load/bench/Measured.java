package org.sluiceca.load.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * What a benchmark wrote down: a line each, fields parted by tabs, {@code fact NAME VALUE}, {@code
 * run name=value…} or {@code store name=value…}.
 */
record Measured(Map<String, String> facts, List<Run> runs, List<Store> stores) {

  /**
   * Reads the lines.
   *
   * @throws IllegalArgumentException naming a line that is not one of these, or that repeats a fact
   */
  static Measured parse(List<String> lines) {
    Map<String, String> facts = new LinkedHashMap<>();
    List<Run> runs = new ArrayList<>();
    List<Store> stores = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String[] fields = lines.get(i).split("\t", -1);
      String[] words = Arrays.copyOfRange(fields, 1, fields.length);
      try {
        switch (fields[0]) {
          case "fact" -> addFact(facts, words);
          case "run" -> addRun(runs, RecordLine.parse(Run.class, words));
          case "store" -> stores.add(RecordLine.parse(Store.class, words));
          default -> throw new IllegalArgumentException("neither fact, run nor store");
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return new Measured(Collections.unmodifiableMap(facts), List.copyOf(runs), List.copyOf(stores));
  }

  private static void addFact(Map<String, String> facts, String... words) {
    if (words.length != 2 || words[0].isBlank() || words[1].isBlank()) {
      throw new IllegalArgumentException("a fact has a name and a value");
    }
    if (facts.put(words[0], words[1]) != null) {
      throw new IllegalArgumentException("two facts are called " + words[0]);
    }
  }

  private static void addRun(List<Run> runs, Run run) {
    if (!(run.seconds() > 0)) {
      throw new IllegalArgumentException("seconds is not positive: " + run.seconds());
    }
    if (runs.stream().anyMatch(other -> other.name().equals(run.name()))) {
      throw new IllegalArgumentException("measured twice: " + run.name());
    }
    runs.add(run);
  }

  /** The CAs, as they came. */
  List<Run.Subject> subjects() {
    return List.copyOf(new LinkedHashSet<>(runs.stream().map(run -> run.subject()).toList()));
  }

  /** The loads that were measured, as they came. */
  List<String> loads() {
    return List.copyOf(
        new LinkedHashSet<>(runs.stream().filter(Run::isMeasured).map(run -> run.load()).toList()));
  }

  List<Run> of(Run.Subject subject) {
    return runs.stream().filter(run -> run.subject().equals(subject)).toList();
  }

  /** The measured rounds of one load on one CA. */
  List<Run> of(Run.Subject subject, String load) {
    return of(subject).stream().filter(run -> run.isMeasured() && run.load().equals(load)).toList();
  }

  /** What the rounds of one load on one CA came to. */
  record Loaded(@JsonUnwrapped Run.Subject subject, String load, @JsonUnwrapped Figures figures) {}

  /** Returns what was measured, by load and CA. */
  List<Loaded> loaded() {
    List<Loaded> all = new ArrayList<>();
    for (String load : loads()) {
      for (Run.Subject subject : subjects()) {
        List<Run> rounds = of(subject, load);
        if (!rounds.isEmpty()) {
          all.add(new Loaded(subject, load, Figures.of(rounds)));
        }
      }
    }
    return all;
  }

  String fact(String name) {
    return facts.getOrDefault(name, "?");
  }
}
