package org.sluiceca.hsm.queue;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * What one flow has waiting in one lane, and how much it has been served: its start tag, in
 * nanoseconds of service (start-time fair queueing; Goyal, Vin and Cheng, 1996).
 */
final class Flow<T extends Waiting> {

  final String name;
  private final long number;
  private final TreeSet<T> jobs;
  private long startNanos;

  /**
   * An empty flow.
   *
   * @param number another for each: among equals the older comes first
   */
  Flow(String name, long number, Comparator<Waiting> order) {
    this.name = name;
    this.number = number;
    this.jobs = new TreeSet<>(order);
  }

  void add(T job) {
    jobs.add(job);
  }

  void remove(T job) {
    jobs.remove(job);
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  T first() {
    return jobs.getFirst();
  }

  T last() {
    return jobs.getLast();
  }

  long startNanos() {
    return startNanos;
  }

  /**
   * Adds the flow again: one that was away starts where the others are, and one that has had more,
   * later.
   */
  void join(long virtualNanos) {
    startNanos = Math.max(startNanos, virtualNanos);
  }

  void charge(long costNanos) {
    startNanos += costNanos;
  }

  static int byStart(Flow<?> a, Flow<?> b) {
    int byStart = Long.compare(a.startNanos, b.startNanos);
    return byStart != 0 ? byStart : Long.compare(a.number, b.number);
  }
}
