package org.sluiceca.client.batch.input;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The requests of a batch in a fixed order, which can be read several times. */
public interface Requests {
  /** How many requests a batch may have: their ids are held in memory, some 30 MB. */
  int MOST = 200_000;

  /** How many there are, those that cannot be used among them. */
  int count();

  /** Reads from the first request on. */
  Cursor open();

  /** A position among the requests. Not thread-safe. */
  interface Cursor extends AutoCloseable {
    /** The next one whose number is not in {@code skip}; null at the end. */
    @Nullable Entry next(BitSet skip);

    @Override
    void close();
  }

  /** What stands at one place. */
  sealed interface Entry {
    /** Its number, from 0. */
    int number();

    /** The request's id, or where it stands if it has none. */
    String id();
  }

  /**
   * A request.
   *
   * @param number from 0
   * @param request as read just now
   */
  record Good(int number, BatchRequest request) implements Entry {
    @Override
    public String id() {
      return request.id();
    }
  }

  /**
   * What is no request.
   *
   * @param number from 0
   * @param id of the request, or where it stands
   * @param fault what is wrong, and what to do
   */
  record Bad(int number, String id, String fault) implements Entry {}
}
