package org.sluiceca.load.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a goal may be about: the figures of one phase, and of a whole run. A growth is the least
 * that the series grew over the measured time with 95 % certainty: by the lower end of the interval
 * of its slope.
 */
public enum Measure {
  /** Requests a second that were due in the measured time. */
  OFFERED("offered", "requests/s"),
  /** Certificates a second by the ledger's rows. */
  GOODPUT("goodput", "certificates/s"),
  /**
   * Goodput by what was possible: the lesser of what was offered and what the HSM can sign. Of a
   * requester, by what it offered.
   */
  GOODPUT_SHARE("goodput-share", ""),
  HSM_UTILISATION("hsm-utilisation", ""),
  HSM_QUEUE_P50("hsm-queue-p50", "jobs"),
  HSM_QUEUE_P99("hsm-queue-p99", "jobs"),
  HSM_QUEUE_MAX("hsm-queue-max", "jobs"),
  /** From a job's arrival in the HSM until its service is over, by the HSM. */
  HSM_LATENCY_P50("hsm-latency-p50", "ms"),
  HSM_LATENCY_P99("hsm-latency-p99", "ms"),
  /** Signatures that the HSM refused because its queue was full. */
  HSM_REFUSED("hsm-refused", "jobs"),
  /** Signatures a second by the HSM. */
  HSM_SIGNED("hsm-signed", "signatures/s"),
  /** From the last thing that happened to an HSM until it signs again and goes on. */
  HSM_SIGNS_AGAIN("hsm-signs-again", "s"),
  /** From the time at which a request was due to its 201. */
  LATENCY_P50("latency-p50", "ms"),
  LATENCY_P99("latency-p99", "ms"),
  LATENCY_MAX("latency-max", "ms"),
  /** 202 among the answered. */
  LATER_SHARE("later-share", ""),
  /** 429 and 503 among the answered. */
  REFUSED_SHARE("refused-share", ""),
  /** Refusals that say when to come again, among the refusals. */
  RETRY_AFTER_SHARE("retry-after-share", ""),
  /** Answers that are neither a certificate, nor an accepted order, nor a refusal for load. */
  OTHER_SHARE("other-share", ""),
  /** Sent, and no answer. */
  UNANSWERED_SHARE("unanswered-share", ""),
  /** Neither a certificate, nor a kept promise, nor a refusal that says when to come again. */
  FAILED_SHARE("failed-share", ""),
  /** Due, and not sent for want of a connection: the generator's own limit. */
  UNSENT_SHARE("unsent-share", ""),
  /** How late requests left the generator. */
  LATE_P99("late-p99", "ms"),
  /** Of the HSM's time that all certificates took, by their ledger rows, what a requester had. */
  TIME_SHARE("time-share", ""),
  /** Jain's index over the nodes' goodput. */
  JAIN_NODES("jain-nodes", ""),
  /** The most that a node issued, by the least. */
  SPREAD_NODES("spread-nodes", ""),
  /** Certificates a second of the node that issued least. */
  NODE_LEAST("node-least", "certificates/s"),
  /** The same of the one that issued most. */
  NODE_MOST("node-most", "certificates/s"),
  /** Jain's index over the requesters' goodput, each divided by its max-min entitlement. */
  JAIN_REQUESTERS("jain-requesters", ""),
  /** Clients of a crowd that were refused more than once. */
  REFUSED_TWICE_SHARE("refused-twice-share", ""),
  /** Clients of a crowd that never got a certificate. */
  UNSERVED("unserved", "clients"),
  /** The longest time after a happening until goodput is what it should be. */
  GOODPUT_RECOVERY("goodput-recovery", "s"),
  /** The longest time after a happening until the HSM's queue is within its bound. */
  QUEUE_RECOVERY("queue-recovery", "s"),
  /** The longest time from asking for a revocation until it is on the CRL of every node. */
  REVOCATION_PUBLISHED("revocation-published", "s"),
  NODES_DEAD("nodes-dead", "nodes"),
  /** Resident memory of the largest node at the end of the measured time; a MB is 10^6 bytes. */
  NODE_MEMORY("node-memory", "MB"),
  /** The mean of all nodes' resident memory. */
  NODE_MEMORY_MEAN("node-memory-mean", "MB"),
  /** Of one processor, what a node used on the mean. */
  NODE_PROCESSOR("node-processor", ""),
  /** Processor time of all nodes by the certificates that were issued meanwhile. */
  NODE_MICROS("node-micros", "us"),
  /** The same of the database. */
  DATABASE_MICROS("database-micros", "us"),
  /** Timeouts that are not shorter than the one that encloses them, or that no node reported. */
  LADDER_FAULTS("ladder-faults", "rungs"),
  /** Share of all processors' time that was not idle. */
  PROCESSORS_BUSY("processors-busy", ""),
  LOAD_AVERAGE("load-average", ""),
  /**
   * Of a whole run: the highest load, times the capacity, up to which every phase was below the
   * knee.
   */
  KNEE("knee", "times the capacity"),
  /** Certificates a second in the phase at the knee. */
  KNEE_RATE("knee-rate", "certificates/s"),
  /** Requests between admission and outcome on all nodes, by their own word. */
  DEPTH_MAX("depth-max", "requests"),
  /** The mean wait in a node's queue, by its metrics. */
  WAIT_MEAN("wait-mean", "ms"),
  /** Jobs that all nodes had in the HSM. */
  INFLIGHT_MEAN("inflight-mean", "jobs"),
  /** The largest node's resident memory. */
  RSS_MAX("rss-max", "MB"),
  /** Of the node whose memory grew most, as a share of its median. */
  RSS_GROWTH("rss-growth", ""),
  /** The same growth of threads. */
  THREADS_GROWTH("threads-growth", ""),
  /** The same growth of open files. */
  FILES_GROWTH("files-growth", ""),
  /** Of the requests between admission and outcome on all nodes. */
  QUEUE_GROWTH("queue-growth", "requests"),
  /** Of the jobs in the HSM's queue. */
  HSM_QUEUE_GROWTH("hsm-queue-growth", "jobs"),
  /** Of the phases' medians of latency, as a share of their median. */
  LATENCY_P50_GROWTH("latency-p50-growth", ""),
  /** Of the phases' 99th percentiles of latency, as a share of their median. */
  LATENCY_P99_GROWTH("latency-p99-growth", ""),
  /** How late virtual users came to life. */
  STARTED_LATE_P99("started-late-p99", "ms"),
  /** Of the moments at which all nodes were to be looked at, those at which all were. */
  LOOKS_SHARE("looks-share", ""),
  /** Requests of any kind that were due and are not in the generator's records. */
  UNSENT("unsent", "requests"),
  /** Of a crowd that renews, those that had nothing to renew and enrolled. */
  UNRENEWED("unrenewed", "requests"),
  /** Revocations that were confirmed and are not in the ledger. */
  REVOCATIONS_LOST("revocations-lost", "revocations"),
  /** Of one kind of request that issues nothing: requests a second that were answered with 200. */
  SERVED("served", "requests/s"),
  /** 201 and 202 without their row. */
  LOST("lost", "certificates"),
  DOUBLED_SERIALS("doubled-serials", "serials"),
  /** Requests for which more than one certificate was issued. */
  DOUBLED_REQUESTS("doubled-requests", "requests"),
  /** Recorded, and neither issued nor failed by the end. */
  UNFINISHED("unfinished", "orders"),
  /** Recorded, and the client was only ever refused. */
  RECORDED_THOUGH_REFUSED("recorded-though-refused", "orders"),
  /** Recorded for another issuer than that of the profile that was asked for. */
  WRONG_ISSUER("wrong-issuer", "orders");

  private static final Set<Measure> OF_HSM =
      EnumSet.of(
          HSM_UTILISATION,
          HSM_QUEUE_P50,
          HSM_QUEUE_P99,
          HSM_QUEUE_MAX,
          HSM_LATENCY_P50,
          HSM_LATENCY_P99,
          HSM_REFUSED,
          HSM_SIGNED,
          HSM_SIGNS_AGAIN);

  private static final Set<Measure> OF_REQUESTER =
      EnumSet.of(
          OFFERED,
          GOODPUT,
          GOODPUT_SHARE,
          LATENCY_P50,
          LATENCY_P99,
          LATENCY_MAX,
          LATER_SHARE,
          REFUSED_SHARE,
          RETRY_AFTER_SHARE,
          OTHER_SHARE,
          UNANSWERED_SHARE,
          FAILED_SHARE,
          UNSENT_SHARE,
          LATE_P99,
          TIME_SHARE);

  private static final Set<Measure> OF_RUN = EnumSet.range(KNEE, REVOCATIONS_LOST);

  private static final Set<Measure> OF_KIND = EnumSet.of(LATENCY_P99, FAILED_SHARE, SERVED);

  private final String key;
  private final String unit;

  Measure(String key, String unit) {
    this.key = key;
    this.unit = unit;
  }

  /** Returns its name in plans and results. */
  @JsonValue
  public String key() {
    return key;
  }

  /** Returns its unit, empty for a share or an index. */
  public String unit() {
    return unit;
  }

  /** Returns whether it is of one HSM. */
  public boolean isOfHsm() {
    return OF_HSM.contains(this);
  }

  /** Returns whether each requester has its own. */
  public boolean isOfRequester() {
    return OF_REQUESTER.contains(this);
  }

  /** Returns whether the whole run has one, and a phase none. */
  public boolean isOfRun() {
    return OF_RUN.contains(this);
  }

  /** Returns whether each kind of request that issues nothing has its own, of the whole run. */
  public boolean isOfKind() {
    return OF_KIND.contains(this);
  }

  static Optional<Measure> find(String key) {
    return Arrays.stream(values()).filter(measure -> measure.key.equals(key)).findFirst();
  }
}
