package org.sluiceca.load.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints CPU time by part (rows) and by request (columns), from the samples {@code
 * jdk.CPUTimeSample} (JEP 509) of a recording. They are of Java threads alone: the JVM's own
 * threads, for compilation and garbage, have none.
 */
public final class CpuProfile {

  private static final String SAMPLE = "jdk.CPUTimeSample";

  private final Map<String, Map<String, Integer>> samples = new TreeMap<>();
  private int all;

  private CpuProfile() {}

  /**
   * Prints the table of one recording, in Markdown.
   *
   * @param args a recording, and the CPU time of Java threads for one unit of work in microseconds
   * @throws IOException if the recording cannot be read
   */
  public static void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ROOT);
    if (args.length != 2) {
      throw new IllegalArgumentException("usage: CpuProfile RECORDING MICROSECONDS");
    }
    CpuProfile profile = new CpuProfile();
    try (RecordingFile recording = new RecordingFile(Path.of(args[0]))) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals(SAMPLE) && event.getStackTrace() != null) {
          profile.add(
              event.getStackTrace().getFrames().stream()
                  .map(frame -> name(frame.getMethod()))
                  .toList());
        }
      }
    }
    System.out.print(profile.page(Double.parseDouble(args[1])));
  }

  private static String name(RecordedMethod method) {
    return method.getType().getName() + "." + method.getName();
  }

  /** Counts one sample; frames are {@code class.method}, the innermost first. */
  private void add(List<String> frames) {
    samples
        .computeIfAbsent(Frames.part(frames), part -> new TreeMap<>())
        .merge(Frames.request(frames), 1, Integer::sum);
    all++;
  }

  private String page(double micros) {
    mergeSmallParts();
    Set<String> requests =
        samples.values().stream()
            .flatMap(row -> row.keySet().stream())
            .sorted()
            .collect(Collectors.toCollection(LinkedHashSet::new));
    StringBuilder page =
        new StringBuilder("| µs | ")
            .append(String.join(" | ", requests))
            .append(" | together |\n|---|");
    page.append("---|".repeat(requests.size() + 1)).append('\n');
    samples.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> -sum(entry.getValue())))
        .forEach(entry -> row(page, entry.getKey(), entry.getValue(), requests, micros));
    Map<String, Integer> together = new TreeMap<>();
    samples
        .values()
        .forEach(
            row -> row.forEach((request, count) -> together.merge(request, count, Integer::sum)));
    row(page, "together", together, requests, micros);
    return page.toString();
  }

  /** Parts of less than one sample in a hundred would make a long table of chance. */
  private void mergeSmallParts() {
    Map<String, Integer> rest = new TreeMap<>();
    for (Iterator<Map<String, Integer>> parts = samples.values().iterator(); parts.hasNext(); ) {
      Map<String, Integer> part = parts.next();
      if (sum(part) * 100 < all) {
        addTo(rest, part);
        parts.remove();
      }
    }
    if (!rest.isEmpty()) {
      samples.put("parts of less than 1 % each", rest);
    }
  }

  private static void addTo(Map<String, Integer> sums, Map<String, Integer> counts) {
    counts.forEach((request, count) -> sums.merge(request, count, Integer::sum));
  }

  private void row(
      StringBuilder page,
      String name,
      Map<String, Integer> counts,
      Set<String> requests,
      double micros) {
    page.append("| ").append(name).append(" | ");
    for (String request : requests) {
      page.append(figure(counts.getOrDefault(request, 0), micros)).append(" | ");
    }
    page.append(figure(sum(counts), micros)).append(" |\n");
  }

  private String figure(int count, double micros) {
    return String.format(Locale.ROOT, "%.0f", micros * count / all);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
