package org.sluiceca.load.scenario;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a limit of a whole run may be about. A growth is the least that the series grew over the
 * measured time with 95 % certainty: by the lower end of the interval of its slope.
 */
public enum Figure {
  /** The highest load, times the capacity, up to which every phase was below the knee. */
  KNEE("knee", "times the capacity", false),
  /** Certificates a second in that phase. */
  KNEE_RATE("knee-rate", "certificates/s", false),
  /** Requests between admission and outcome on all nodes, by their own word. */
  DEPTH_MAX("depth-max", "requests", false),
  /** The mean wait in a node's queue, by its metrics. */
  WAIT_MEAN("wait-mean", "ms", false),
  /** Jobs that all nodes had in the HSM. */
  INFLIGHT_MEAN("inflight-mean", "jobs", false),
  /** The largest node's resident memory. */
  RSS_MAX("rss-max", "MB", false),
  /** Of the node whose memory grew most, as a share of its median. */
  RSS_GROWTH("rss-growth", "", false),
  /** The same of threads. */
  THREADS_GROWTH("threads-growth", "", false),
  /** The same of open files. */
  FILES_GROWTH("files-growth", "", false),
  /** Of the requests between admission and outcome on all nodes. */
  QUEUE_GROWTH("queue-growth", "requests", false),
  /** Of the jobs in the HSM's queue. */
  HSM_QUEUE_GROWTH("hsm-queue-growth", "jobs", false),
  /** Of the phases' medians of latency, as a share of their median. */
  LATENCY_P50_GROWTH("latency-p50-growth", "", false),
  /** Of the phases' 99th percentiles of latency, as a share of their median. */
  LATENCY_P99_GROWTH("latency-p99-growth", "", false),
  /** How late virtual users came to life. */
  STARTED_LATE_P99("started-late-p99", "ms", false),
  /** Of the moments at which all nodes were to be looked at, those at which all were. */
  LOOKS_SHARE("looks-share", "", false),
  /** Requests of any kind that were due and are not in the generator's records. */
  UNSENT("unsent", "requests", false),
  /** Of a crowd that renews, those that had nothing to renew and enrolled. */
  UNRENEWED("unrenewed", "requests", false),
  /** Revocations that were confirmed and are not in the ledger. */
  REVOCATIONS_LOST("revocations-lost", "revocations", false),
  /** Of one kind of request that is no issuance: from when it was due to its 200. */
  LATENCY_P99("latency-p99", "ms", true),
  /** Of one kind: neither 200 nor a refusal that says when to come again. */
  FAILED_SHARE("failed-share", "", true),
  /** Of one kind: requests a second that were answered with 200. */
  SERVED("served", "requests/s", true);

  private final String key;
  private final String unit;
  private final boolean isOfKind;

  Figure(String key, String unit, boolean isOfKind) {
    this.key = key;
    this.unit = unit;
    this.isOfKind = isOfKind;
  }

  /** Returns its name in files and results. */
  public String key() {
    return key;
  }

  /** Returns its unit, empty for a share. */
  public String unit() {
    return unit;
  }

  /** Returns whether each kind of request has its own. */
  public boolean isOfKind() {
    return isOfKind;
  }

  static Optional<Figure> find(String key) {
    return Arrays.stream(values()).filter(figure -> figure.key.equals(key)).findFirst();
  }
}
