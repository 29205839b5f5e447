package org.sluiceca.load.day.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;

/**
 * The work of a run from its first session to its last: certificates, numbered from 0, in stretches
 * that each end at a mark, where all is measured.
 *
 * @param certificates 1,000 to 100 million
 * @param marks numbers of stored certificates in order; the last one is {@code certificates}
 * @param nodes 1 to 8
 * @param rate signatures a second of a simulated HSM; 0 for a SoftHSM token, as fast as it goes
 */
public record DayPlan(long certificates, List<Long> marks, int nodes, int rate) {

  /** Some 1.1 MB of requests; a batch that breaks off costs no more than that. */
  public static final int BLOCK_MAX = 2_000;

  /** Of those who ask in turns. */
  public static final int REQUESTERS = 8;

  /** What the requesters' names begin with; those of single requests begin otherwise. */
  public static final String PREFIX = "day-";

  /** One certificate in this number is revoked at the mark that ends its stretch. */
  public static final int REVOKED_SHARE = 100;

  private static final long CERTIFICATES_MIN = 1_000;

  /** Five times the field's day; the ledger of it has some 250 GB. */
  private static final long CERTIFICATES_MAX = 100_000_000;

  private static final int MARKS_MAX = 20;
  private static final int NODES_MAX = 8;
  private static final int RATE_MAX = 99_999;

  /** Validates and copies. */
  public DayPlan {
    require(
        certificates >= CERTIFICATES_MIN && certificates <= CERTIFICATES_MAX,
        "a day has 1,000 to 100,000,000 certificates, not " + certificates);
    require(nodes >= 1 && nodes <= NODES_MAX, "1 to 8 nodes, not " + nodes);
    require(rate >= 0 && rate <= RATE_MAX, "a rate is 1 to 99,999, not " + rate);
    marks = List.copyOf(marks);
    require(
        !marks.isEmpty() && marks.size() <= MARKS_MAX && marks.getLast() == certificates,
        "the last of 1 to 20 marks is the number of certificates: " + marks);
    for (int i = 0; i < marks.size(); i++) {
      require(
          marks.get(i) >= CERTIFICATES_MIN && (i == 0 || marks.get(i) > marks.get(i - 1)),
          "marks grow from 1,000 at least: " + marks);
    }
  }

  /**
   * Takes of the marks those that the run reaches, and its end.
   *
   * @param marks numbers with commas between them
   */
  public static DayPlan of(long certificates, String marks, int nodes, int rate) {
    try {
      List<Long> reached =
          Stream.concat(
                  Arrays.stream(marks.split(",", -1))
                      .map(Long::valueOf)
                      .filter(mark -> mark < certificates),
                  Stream.of(certificates))
              .toList();
      return new DayPlan(certificates, reached, nodes, rate);
    } catch (NumberFormatException e) {
      throw new InputException("marks are numbers with commas between them: '" + marks + "'");
    }
  }

  /** Returns where the stretch of a mark begins, by its index from 0. */
  public long before(int mark) {
    return mark == 0 ? 0 : marks.get(mark - 1);
  }

  /** Returns how many certificates of a mark's stretch are revoked at that mark. */
  public long toRevoke(int mark) {
    return (marks.get(mark) - before(mark)) / REVOKED_SHARE;
  }

  /** Returns who asks for those of a mark's stretch that are revoked. */
  public static String revokedRequester(int mark) {
    return PREFIX + "gone-" + mark;
  }

  /** Returns the requesters with their names. */
  public static List<String> requesters() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < REQUESTERS; i++) {
      names.add(PREFIX + i);
    }
    return names;
  }

  /** Returns the requesters that have certificates at a mark, but for those revoked. */
  public List<String> asking(int mark) {
    return IntStream.rangeClosed(0, mark)
        .mapToObj(this::blocks)
        .flatMap(List::stream)
        .map(Block::requester)
        .filter(requesters()::contains)
        .distinct()
        .toList();
  }

  /**
   * Returns the blocks of a mark's stretch in order: those to be revoked first, so that the end of
   * the stretch, where costs are measured, has none of them.
   */
  public List<Block> blocks(int mark) {
    List<Block> blocks = new ArrayList<>();
    int first = 0;
    for (int earlier = 0; earlier < mark; earlier++) {
      first += blockCount(earlier);
    }
    long middle = before(mark) + toRevoke(mark);
    for (long from = before(mark); from < marks.get(mark); ) {
      boolean isRevoked = from < middle;
      long until = Math.min(from + BLOCK_MAX, isRevoked ? middle : marks.get(mark));
      int index = first + blocks.size();
      blocks.add(
          new Block(
              index,
              from,
              (int) (until - from),
              isRevoked ? revokedRequester(mark) : PREFIX + index % REQUESTERS));
      from = until;
    }
    return blocks;
  }

  private int blockCount(int mark) {
    long revoked = toRevoke(mark);
    long others = marks.get(mark) - before(mark) - revoked;
    return (int) (Math.ceilDiv(revoked, (long) BLOCK_MAX) + Math.ceilDiv(others, (long) BLOCK_MAX));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new InputException(otherwise);
    }
  }
}
