package org.sluiceca.core.ocsp;

import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers in the order of their last use, bounded in number and memory: who was not asked for the
 * longest leaves first. Not thread-safe.
 */
final class AnswerRoom {

  /**
   * The bytes that an answer takes in addition to its octets: entry, key, instants, measured at
   * some 400.
   */
  static final int ENTRY_BYTES = 400;

  private final int entriesMax;
  private final long bytesMax;
  private final LinkedHashMap<AnswerKey, Reply.Signed> answers =
      new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  AnswerRoom(int entriesMax, long bytesMax) {
    this.entriesMax = entriesMax;
    this.bytesMax = bytesMax;
  }

  Reply.@Nullable Signed get(AnswerKey key) {
    return answers.get(key);
  }

  void put(AnswerKey key, Reply.Signed answer) {
    remove(key);
    answers.put(key, answer);
    bytes += size(answer);
    Iterator<Reply.Signed> oldest = answers.values().iterator();
    while (answers.size() > entriesMax || bytes > bytesMax) {
      bytes -= size(oldest.next());
      oldest.remove();
    }
  }

  void remove(AnswerKey key) {
    Reply.Signed gone = answers.remove(key);
    if (gone != null) {
      bytes -= size(gone);
    }
  }

  /** Returns how many there are. */
  int entries() {
    return answers.size();
  }

  /** Returns about how much memory they take. */
  long bytes() {
    return bytes;
  }

  void clear() {
    answers.clear();
    bytes = 0;
  }

  private static int size(Reply.Signed answer) {
    return ENTRY_BYTES + answer.response().length();
  }
}
