package org.sluiceca.core.admit;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.throughput.DrainRate;
import org.sluiceca.core.throughput.MeanCost;

/**
 * A signing pool's line as its lanes share it: places, which are counted in requests, and the rate
 * at which it drains, in work: a request is as much of it as it costs. Not thread-safe: {@link
 * Admission} guards it.
 */
final class Lanes {

  /**
   * Places that a lane has while nothing is known of the signer's rate: those of a token of 7/s,
   * the slowest that we know, are done within a promise's time.
   */
  static final int COLD_PLACES = 64;

  /** However slow the signer: fewer and one requester alone would never make the line busy. */
  private static final int WORK_PLACES_MIN = 2 * DrainRate.BUSY_IN_FLIGHT;

  private final SignerQueue.Places places;
  private final int sharedPlaces;
  private final DoubleSupplier signerPerSecond;
  private final Map<Lane, PriorityClassQueue> lines = new EnumMap<>(Lane.class);
  private final DrainRate drainRate;
  private final MeanCost costs = new MeanCost();
  private int inFlight;

  Lanes(SignerQueue.Places places, DoubleSupplier signerPerSecond, long nowNanos) {
    this.places = places;
    this.signerPerSecond = signerPerSecond;
    this.drainRate = new DrainRate(nowNanos);
    int reserved = 0;
    for (Lane lane : Lane.values()) {
      PriorityClassQueue line = new PriorityClassQueue(lane, nowNanos);
      lines.put(lane, line);
      reserved += line.terms.reserved(places.max());
    }
    this.sharedPlaces = places.max() - reserved;
  }

  PriorityClassQueue line(Lane lane) {
    PriorityClassQueue line = lines.get(lane);
    if (line == null) {
      throw new IllegalStateException("every lane has a line");
    }
    return line;
  }

  int inFlight() {
    return inFlight;
  }

  void enter(PriorityClassQueue line, LinePermit place, long nowNanos) {
    inFlight++;
    places.take();
    line.enter(place);
    drainRate.admitted(nowNanos, inFlight);
  }

  void leave(PriorityClassQueue line, LinePermit place, boolean completed, long nowNanos) {
    inFlight--;
    places.giveBack();
    line.leave(place);
    if (completed) {
      line.completed(nowNanos, place.cost());
      costs.add(place.cost());
      drainRate.completed(nowNanos, inFlight, place.cost());
    } else {
      drainRate.left(nowNanos, inFlight);
    }
  }

  /** Returns what one request of the whole line costs. */
  double meanCost() {
    double work = 0;
    for (PriorityClassQueue line : lines.values()) {
      work += line.work();
    }
    return costs.or(work, inFlight);
  }

  /**
   * Returns the work per second that the whole line drains; 0 if unknown. The signer reports its
   * rate in jobs, for the mix that it has received recently, which is what this line has drained
   * recently.
   */
  double workPerSecond(long nowNanos) {
    return drainRate.perSecond(nowNanos, signerPerSecond.getAsDouble() * meanCost());
  }

  /**
   * Returns the work that a lane drains while it has some, a second: its weight's share of the
   * signer against the lanes that have work too, or what those leave, if that is more. 0 if
   * unknown.
   */
  double workPerSecond(PriorityClassQueue line, long nowNanos) {
    double total = workPerSecond(nowNanos);
    if (line.lane == Lane.STATUS) {
      return total;
    }
    double left =
        total
            - Math.min(line(Lane.STATUS).workDonePerSecond(nowNanos), Lane.STATUS_PART_MAX * total);
    double weights = 0;
    double others = 0;
    for (PriorityClassQueue other : lines.values()) {
      if (other == line || !other.places.isEmpty()) {
        weights += other.lane.weight();
      }
      if (other != line && other.lane != Lane.STATUS) {
        others += other.workDonePerSecond(nowNanos);
      }
    }
    return Math.max(left * line.lane.weight() / weights, left - others);
  }

  /**
   * What a lane may hold now, what it holds included.
   *
   * @param places in requests, whatever they cost: they are memory
   * @param meanRequests predicted work, as a number of requests of the lane's mean cost
   * @param meanCost what one of those costs
   */
  record Capacity(int places, int meanRequests, double meanCost) {

    double work() {
      return meanRequests * meanCost;
    }

    /** Returns how many requests of this cost it may hold, by the tighter bound. */
    double requests(double cost) {
      return Math.min(places, work() / cost);
    }

    /** Returns how much of {@link #requests} is taken by these. */
    double taken(double cost, int requests, double work) {
      return work() / cost < places ? work / cost : requests;
    }
  }

  /**
   * Returns what a lane may hold now, in places and in predicted work, for a request of this cost:
   * who asks for the costly may have as many as make the line busy, however few are done in time.
   */
  Capacity capacity(PriorityClassQueue line, double workPerSecond, double cost) {
    int taken = line.places.size();
    int usedShared = 0;
    for (PriorityClassQueue other : lines.values()) {
      if (other.lane != Lane.STATUS) {
        usedShared += Math.max(0, other.places.size() - other.terms.reserved(places.max()));
      }
    }
    int free =
        Math.max(0, line.terms.reserved(places.max()) - taken)
            + Math.max(0, sharedPlaces - usedShared);
    double meanCost = line.meanCost();
    double least = WORK_PLACES_MIN * Math.max(1, cost / meanCost);
    double byTime =
        workPerSecond == 0
            ? COLD_PLACES
            : Math.max(least, workPerSecond / meanCost * line.terms.workSecondsMax());
    int most =
        Math.min(line.terms.most(places.max()), taken + Math.min(free, places.free(inFlight)));
    return new Capacity(most, (int) byTime, meanCost);
  }

  /** Returns how many requests a second the whole line drains; 0 while unknown. */
  double requestsPerSecond(long nowNanos) {
    return workPerSecond(nowNanos) / meanCost();
  }

  /**
   * Returns how many more requests of its mean cost a lane takes within {@code part} of its room.
   */
  int room(Lane lane, double part, long nowNanos) {
    PriorityClassQueue line = line(lane);
    double cost = line.meanCost();
    Capacity capacity = capacity(line, workPerSecond(line, nowNanos), cost);
    return Math.max(0, (int) Math.ceil(part * capacity.requests(cost)) - line.places.size());
  }

  LaneOccupancy occupancy(Lane lane, long nowNanos) {
    PriorityClassQueue line = line(lane);
    double workPerSecond = workPerSecond(line, nowNanos);
    int depth = line.places.size();
    double cost = line.meanCost();
    Capacity capacity = capacity(line, workPerSecond, cost);
    return new LaneOccupancy(
        lane,
        depth,
        lane == Lane.STATUS ? places.max() : (int) capacity.requests(cost),
        depth == 0 ? 0 : Math.max(0, nowNanos - line.places.getFirst().sinceNanos()),
        workPerSecond / cost,
        workPerSecond == 0 ? 0 : line.work() / workPerSecond);
  }

  /** Returns where a request stands among those of its lane. */
  QueuePosition position(LinePermit place, long nowNanos) {
    PriorityClassQueue line = line(place.lane());
    // One that has just been given back is as good as served.
    int position = 0;
    double work = place.cost();
    if (line.places.contains(place)) {
      for (LinePermit other : line.places) {
        if (other == place) {
          break;
        }
        position++;
        work += other.cost();
      }
    }
    double workPerSecond = workPerSecond(line, nowNanos);
    return new QueuePosition(
        position,
        workPerSecond == 0 ? OptionalDouble.empty() : OptionalDouble.of(work / workPerSecond));
  }
}
