package org.sluiceca.api.validation.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.Verdict;

/**
 * Asks all perspectives at once whether they see a proof as this node does. Ends as soon as enough
 * of them agree or no longer can, so that one that hangs delays an attempt only where it is needed.
 * One virtual thread for each perspective; none is left behind that is not interrupted.
 */
final class Agreement {

  /** In which an operation ends that has begun when the deadline comes. */
  private static final Duration END = Duration.ofSeconds(1);

  private final Perspectives perspectives;
  private final Duration deadline;
  private final UnexpectedFaults faults;

  Agreement(Perspectives perspectives, Duration deadline, UnexpectedFaults faults) {
    this.perspectives = perspectives;
    this.deadline = deadline;
    this.faults = faults;
  }

  private record Seen(Perspective by, Verdict verdict) {}

  /**
   * Returns the verdict of all. Blocks for the deadline and a second at most.
   *
   * @param own what this node saw
   * @param look makes the attempt of one perspective
   */
  Verdict reach(Verdict.Valid own, Function<Perspective, Verdict> look) {
    List<Perspective> all = perspectives.all();
    BlockingQueue<Seen> results = new ArrayBlockingQueue<>(all.size());
    List<Perspective> pending = new ArrayList<>(all);
    List<Seen> agreed = new ArrayList<>();
    List<Seen> others = new ArrayList<>();
    TimeLimit limit = TimeLimit.after(deadline.plus(END));
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      all.forEach(one -> threads.execute(() -> results.add(new Seen(one, guarded(one, look)))));
      while (agreed.size() < perspectives.agree()
          && others.size() <= all.size() - perspectives.agree()) {
        Seen seen = results.poll(limit.left().toMillis(), TimeUnit.MILLISECONDS);
        if (seen == null) {
          pending.forEach(one -> others.add(new Seen(one, late())));
          break;
        }
        pending.remove(seen.by());
        (seen.verdict() instanceof Verdict.Valid ? agreed : others).add(seen);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Verdict.Failed(
          Verdict.Kind.SERVER_INTERNAL, "this CA stopped while its perspectives looked");
    } finally {
      threads.shutdownNow();
    }
    return agreed.size() >= perspectives.agree()
        ? agreed(own, agreed)
        : disagreed(agreed.size(), others);
  }

  /** An attempt that ends without a verdict disagrees. */
  private Verdict guarded(Perspective one, Function<Perspective, Verdict> look) {
    try {
      return look.apply(one);
    } catch (RuntimeException | Error e) {
      faults.report("validation by perspective " + one.name(), e);
      return Verdict.unexpected();
    }
  }

  private Verdict late() {
    return new Verdict.Failed(
        Verdict.Kind.CONNECTION, "it had no answer within " + TimeLimit.after(deadline).text());
  }

  /** An authorization ends with the earliest end that was seen. */
  private static Verdict agreed(Verdict.Valid own, List<Seen> agreed) {
    Optional<Instant> until = own.until();
    for (Seen seen : agreed) {
      if (seen.verdict() instanceof Verdict.Valid valid
          && valid.until().isPresent()
          && until.filter(end -> !end.isAfter(valid.until().get())).isEmpty()) {
        until = valid.until();
      }
    }
    return new Verdict.Valid(own.evidence() + ", also seen by " + names(agreed), until);
  }

  private Verdict disagreed(int agreed, List<Seen> others) {
    Seen first = others.getFirst();
    Verdict.Failed failed = first.verdict() instanceof Verdict.Failed f ? f : Verdict.unexpected();
    return new Verdict.Failed(
        failed.kind(),
        "this CA saw the proof, and not so from its perspective "
            + names(others)
            + " ("
            + agreed
            + " of "
            + perspectives.all().size()
            + " agreed, "
            + perspectives.agree()
            + " must). From "
            + first.by().name()
            + ": "
            + failed.detail());
  }

  private static String names(List<Seen> seen) {
    return seen.stream().map(one -> one.by().name()).collect(Collectors.joining(", "));
  }
}
