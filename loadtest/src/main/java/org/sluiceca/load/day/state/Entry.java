package org.sluiceca.load.day.state;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What is journalled, each at a time of the wall clock in milliseconds. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "what")
public sealed interface Entry {

  /** Returns when it was. */
  long atMillis();

  /**
   * A session has begun: nodes live, and batches are about to be sent.
   *
   * @param session from 0
   * @param walOctets that the database had written to its write-ahead log since ever
   */
  record Began(long atMillis, int session, long walOctets) implements Entry {}

  /**
   * Each line of a block has its certificate, by the service's word.
   *
   * @param fingerprint of the serial numbers: the last eight octets of each, added without carry
   * @param replayed how many of them an earlier batch had asked for under the same key
   */
  record Issued(long atMillis, int block, int count, long fingerprint, int replayed)
      implements Entry {}

  /**
   * What has happened since the entry before of this kind, or since batches began to be sent.
   *
   * @param stored how many certificates there were at its end, with those of unfinished blocks
   * @param certificates that came meanwhile and were not replayed
   * @param busyMicros of all processors, whatever they did
   * @param allMicros of all processors, busy or idle
   */
  record Sampled(
      long atMillis,
      long stored,
      long certificates,
      long durationMicros,
      long nodeMicros,
      long databaseMicros,
      long clientMicros,
      long busyMicros,
      long allMicros)
      implements Entry {}

  /** A mark is reached, by its index: no batch is under way. */
  record Paused(long atMillis, int mark, long walOctets) implements Entry {}

  /** A mark is measured, and batches are sent again. */
  record Went(long atMillis, int mark, long walOctets) implements Entry {}

  /** A session has ended in order. */
  record Ended(long atMillis, int session) implements Entry {}
}
