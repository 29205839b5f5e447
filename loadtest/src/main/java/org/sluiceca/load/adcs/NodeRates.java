package org.sluiceca.load.adcs;

import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;

/**
 * Certificates a second of each node in one phase, by the ledger's rows.
 *
 * @param byNode those that lived at its end
 */
record NodeRates(Map<Integer, Double> byNode) {

  static NodeRates of(PhaseJudge.Figures figures, Evidence evidence) {
    PhaseRecord seen = figures.seen();
    Map<Integer, Double> rates = new TreeMap<>();
    seen.nodes().forEach(node -> rates.put(node, 0.0));
    evidence.issued().stream()
        .filter(row -> seen.contains(evidence.issuedNanos(row)))
        .map(row -> row.outcome().orElseThrow().node())
        .filter(name -> name.matches("node-[0-9]+"))
        .map(name -> Integer.valueOf(name.substring("node-".length())))
        .forEach(node -> rates.merge(node, 1 / seen.seconds(), Double::sum));
    return new NodeRates(rates);
  }

  double least() {
    return byNode.values().stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
  }

  double most() {
    return byNode.values().stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }
}
