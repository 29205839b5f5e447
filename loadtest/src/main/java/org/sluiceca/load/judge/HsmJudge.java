package org.sluiceca.load.judge;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.watch.HsmFigures;

/** What each HSM did in a phase, by its own figures. */
final class HsmJudge {
  private final PhaseRecord seen;
  private final Evidence evidence;

  HsmJudge(PhaseRecord seen, Evidence evidence) {
    this.seen = seen;
    this.evidence = evidence;
  }

  /** The figures of one HSM, of which {@code said} is what it reported for the phase. */
  Map<Measure, Double> figures(String name, HsmFigures said) {
    Map<Measure, Double> measures = new EnumMap<>(Measure.class);
    measures.put(Measure.HSM_UTILISATION, said.utilisation());
    measures.put(Measure.HSM_QUEUE_P50, (double) said.queueP50());
    measures.put(Measure.HSM_QUEUE_P99, (double) said.queueP99());
    measures.put(Measure.HSM_QUEUE_MAX, (double) said.queueMax());
    measures.put(Measure.HSM_LATENCY_P50, said.latencyP50Millis());
    measures.put(Measure.HSM_LATENCY_P99, said.latencyP99Millis());
    measures.put(Measure.HSM_REFUSED, (double) said.refusedFull());
    measures.put(Measure.HSM_SIGNED, said.signed() / seen.seconds());
    List<HsmFigures> looks = evidence.hsms().getOrDefault(name, List.of());
    List<Occurrence> own =
        seen.occurrences().stream()
            .filter(occurrence -> occurrence.hsm().filter(name::equals).isPresent())
            .toList();
    if (!own.isEmpty()) {
      measures.put(Measure.HSM_SIGNS_AGAIN, signsAgain(own, looks));
    }
    return measures;
  }

  /** An HSM that could not be made to fail counts as one that never signs again. */
  private double signsAgain(List<Occurrence> own, List<HsmFigures> looks) {
    return own.stream().anyMatch(Occurrence::hasFailed)
        ? Double.POSITIVE_INFINITY
        : Recovery.signsAgain(own.getLast().atNanos(), looks, seen.untilNanos());
  }
}
