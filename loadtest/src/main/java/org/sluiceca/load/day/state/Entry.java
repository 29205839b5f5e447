package org.sluiceca.load.day.state;

import org.sluiceca.load.page.Text;

/** What is journalled, each at a time of the wall clock in milliseconds. */
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

  /** Returns it as words with blanks between them. */
  default String words() {
    return switch (this) {
      case Began e -> "began " + e.atMillis + " " + e.session + " " + e.walOctets;
      case Issued e ->
          Text.format(
              "issued %d %d %d %016x %d", e.atMillis, e.block, e.count, e.fingerprint, e.replayed);
      case Sampled e ->
          Text.format(
              "sampled %d %d %d %d %d %d %d %d %d",
              e.atMillis,
              e.stored,
              e.certificates,
              e.durationMicros,
              e.nodeMicros,
              e.databaseMicros,
              e.clientMicros,
              e.busyMicros,
              e.allMicros);
      case Paused e -> "paused " + e.atMillis + " " + e.mark + " " + e.walOctets;
      case Went e -> "went " + e.atMillis + " " + e.mark + " " + e.walOctets;
      case Ended e -> "ended " + e.atMillis + " " + e.session;
    };
  }

  /**
   * Reads what {@link #words} wrote.
   *
   * @throws IllegalArgumentException if it is nothing of the kind
   */
  static Entry parse(String words) {
    String[] parts = words.split(" ", -1);
    if (parts.length < 3) {
      throw new IllegalArgumentException("not an entry: '" + words + "'");
    }
    long at = Long.parseLong(parts[1]);
    String form = parts[0] + " " + parts.length;
    return switch (form) {
      case "began 4" -> new Began(at, whole(parts, 2), number(parts, 3));
      case "issued 6" ->
          new Issued(
              at,
              whole(parts, 2),
              whole(parts, 3),
              Long.parseUnsignedLong(parts[4], 16),
              whole(parts, 5));
      case "sampled 10" ->
          new Sampled(
              at,
              number(parts, 2),
              number(parts, 3),
              number(parts, 4),
              number(parts, 5),
              number(parts, 6),
              number(parts, 7),
              number(parts, 8),
              number(parts, 9));
      case "paused 4" -> new Paused(at, whole(parts, 2), number(parts, 3));
      case "went 4" -> new Went(at, whole(parts, 2), number(parts, 3));
      case "ended 3" -> new Ended(at, whole(parts, 2));
      default -> throw new IllegalArgumentException("not an entry: '" + words + "'");
    };
  }

  private static int whole(String[] parts, int at) {
    return Integer.parseInt(parts[at]);
  }

  private static long number(String[] parts, int at) {
    return Long.parseLong(parts[at]);
  }
}
