package org.sluiceca.api.hsm.capacity;

import java.util.List;
import java.util.Locale;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;
import org.sluiceca.api.issuance.backlog.BacklogWatch;
import org.sluiceca.api.platform.ProductVersion;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/capacity}: what a scheduler needs to pace itself, of this node. */
@RestController
final class CapacityController {

  /** A lane's bound and what is on the line for it. */
  record LaneBody(
      String name,
      int depth,
      int capacity,
      double oldestAgeSeconds,
      double ratePerSecond,
      double etaSeconds) {}

  /**
   * A token's state as this node sees it.
   *
   * @param breaker {@code closed}, {@code half_open} or {@code open}
   * @param preference {@code preferred} or {@code backup}
   */
  record HsmBody(
      String name,
      String state,
      String breaker,
      String preference,
      String region,
      int inflight,
      int limit,
      double utilization,
      double capacityPerSecond) {

    static HsmBody of(TokenFigures token) {
      TokenFigures.Load load = token.load();
      return new HsmBody(
          token.name(),
          token.state(),
          token.breaker(),
          token.preference(),
          token.region(),
          load.inflight(),
          (int) Math.ceil(load.window()),
          load.utilization(),
          load.capacityPerSecond());
    }
  }

  /**
   * The backlog of orders, of all nodes.
   *
   * @param ratePerSecond orders that were taken out of it recently; 0 while unknown
   */
  record BacklogBody(long orders, double ratePerSecond, double etaSeconds) {}

  /**
   * The whole answer.
   *
   * @param version of the software of this node
   */
  record Capacity(String version, List<LaneBody> lanes, BacklogBody backlog, List<HsmBody> hsms) {}

  private final Admission admission;
  private final BacklogWatch backlog;
  private final CapacityReader tokens;

  CapacityController(Admission admission, BacklogWatch backlog, TokenGroup tokens) {
    this.admission = admission;
    this.backlog = backlog;
    this.tokens = new CapacityReader(tokens);
  }

  @GetMapping("/v1/capacity")
  Capacity capacity() {
    return new Capacity(
        ProductVersion.running(),
        admission.occupancy().lanes().stream().map(CapacityController::body).toList(),
        new BacklogBody(backlog.depths().total(), backlog.takenPerSecond(), backlog.etaSeconds()),
        tokens.tokens().stream().map(HsmBody::of).toList());
  }

  private static LaneBody body(LaneOccupancy lane) {
    return new LaneBody(
        lane.lane().name().toLowerCase(Locale.ROOT),
        lane.depth(),
        lane.capacity(),
        lane.oldestAgeNanos() / 1e9,
        lane.perSecond(),
        lane.etaSeconds());
  }
}
