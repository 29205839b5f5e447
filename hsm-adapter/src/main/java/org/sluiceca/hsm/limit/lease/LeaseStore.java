package org.sluiceca.hsm.limit.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;

/**
 * Where the nodes on a token tell each other what they see, and read what they may use. Every time
 * in it is its own, which no node's clock touches. Thread-safe.
 *
 * <p>Each method is one short transaction. It blocks for a few seconds at most and throws {@link
 * Unavailable} when the store does not answer: whether it did what it was asked is then unknown,
 * and harmless, for leases end by themselves.
 */
public interface LeaseStore {

  /** How long a node that is silent is remembered: for who looks into a crash. */
  Duration KEPT = Duration.ofMinutes(1);

  /**
   * The right to divide a token's window.
   *
   * @param hsm the token
   * @param node who has it
   * @param epoch higher than that of every other who had it before; at least 1
   */
  record Leadership(String hsm, String node, int epoch) {}

  /**
   * A grant as its node reads it.
   *
   * @param left of its life when it was read; above 0
   */
  record Held(Grant grant, Duration left) {}

  /**
   * The answer to a node.
   *
   * @param leadership if it leads, for {@link LeaseController#LEASE} unless it asks again
   * @param held its newest grant, if that still lives
   */
  record Answer(Optional<Leadership> leadership, Optional<Held> held) {}

  /**
   * Keeps a node's report, the newest only, and answers with its grant. The node leads if it does
   * so already or no node does.
   *
   * @param hsm the token, or a group of its engines, at most 48 characters
   * @param report of a node whose name no other process ever had, at most 80 characters
   * @param leading the epoch in which it has led until now; a node that has forgotten its epoch
   *     leads again, in an epoch above all whose grants were ever seen
   */
  Answer exchange(String hsm, NodeReport report, OptionalInt leading);

  /**
   * A report as the leader reads it.
   *
   * @param at when it came
   */
  record Reported(NodeReport report, Instant at) {}

  /**
   * The nodes on a token.
   *
   * @param living those that reported within {@link LeaseController#LEASE}
   * @param at when they were read
   */
  record Roll(List<Reported> living, Instant at) {

    public Roll {
      living = List.copyOf(living);
    }
  }

  /** Returns who is alive; forgets who has been silent for {@link #KEPT}. */
  Roll roll(String hsm);

  /**
   * Grants widths, all or none, each until {@link LeaseController#LEASE} after {@code readAt} and
   * in place of its node's grants of lower numbers.
   *
   * @param readAt when the reports were read that they answer: a slow leader's grants live shorter
   * @return false, with nothing granted, if another leads by now
   */
  boolean grant(Leadership leadership, List<Grant> grants, Instant readAt);

  /**
   * Ends what a node has: it is not among the living any more, its grant is over, and if it leads,
   * the node that asks next leads. For a node that stops in order; what it had is free no sooner
   * than the leader's book says, so that calls which still are in the token count. A node that the
   * token never saw changes nothing.
   */
  void leave(String hsm, String node);

  /** The store does not answer. */
  final class Unavailable extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Says what could not be done. */
    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
