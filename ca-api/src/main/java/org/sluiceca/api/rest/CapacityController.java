package org.sluiceca.api.rest;

import java.util.List;
import java.util.Locale;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.hsm.HsmSigner;
import org.sluiceca.hsm.HsmStats;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/capacity}: what a scheduler needs to pace itself, of this node. */
@RestController
final class CapacityController {

  /** The only lane so far. */
  static final String LANE = "interactive";

  /** A lane's bound and what waits in it. */
  record LaneBody(
      String name,
      int depth,
      int capacity,
      double oldestAgeSeconds,
      double ratePerSecond,
      double etaSeconds) {}

  /** A token's state as this node sees it. */
  record HsmBody(
      String name,
      String state,
      int inflight,
      int limit,
      double utilization,
      double capacityPerSecond) {}

  /** The whole answer. */
  record Capacity(List<LaneBody> lanes, List<HsmBody> hsms) {}

  private final Admission admission;
  private final HsmSigner hsm;

  CapacityController(Admission admission, HsmSigner hsm) {
    this.admission = admission;
    this.hsm = hsm;
  }

  @GetMapping("/v1/capacity")
  Capacity capacity() {
    Admission.Occupancy line = admission.occupancy();
    HsmStats token = hsm.stats();
    double perSecond = line.drainPerSecond();
    double capacityPerSecond =
        token.meanServiceNanos() == 0 ? 0 : token.inflightLimit() * 1e9 / token.meanServiceNanos();
    return new Capacity(
        List.of(
            new LaneBody(
                LANE,
                line.inFlight(),
                line.placesMax(),
                token.oldestAgeNanos() / 1e9,
                perSecond,
                perSecond == 0 ? 0 : line.inFlight() / perSecond)),
        List.of(
            new HsmBody(
                "hsm-0",
                token.state().name().toLowerCase(Locale.ROOT),
                token.inflight(),
                (int) Math.ceil(token.inflightLimit()),
                token.inflight() / token.inflightLimit(),
                capacityPerSecond)));
  }
}
