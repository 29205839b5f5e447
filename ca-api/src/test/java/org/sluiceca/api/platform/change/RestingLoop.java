package org.sluiceca.api.platform.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A check of loops without work: they rest, and changes of their topics alone end that. */
public final class RestingLoop {

  private RestingLoop() {}

  /**
   * Changes every topic in turn. The loop's thread must not run.
   *
   * @param topics those of the loop
   * @param watched has the loop rest by a watch
   * @param step one look of the loop; returns how long it waits
   * @param usual how long it waits at most if it does not rest
   */
  public static void check(
      Set<Topic> topics, Consumer<ChangeWatch> watched, Supplier<Duration> step, Duration usual) {
    Map<Topic, Long> numbers = new EnumMap<>(Topic.class);
    for (Topic topic : Topic.values()) {
      numbers.put(topic, 0L);
    }
    AtomicLong now = new AtomicLong();
    ChangeWatch changes = new ChangeWatch(isFull -> numbers, now::get);
    watched.accept(changes);
    for (Topic topic : Topic.values()) {
      numbers.put(topic, 0L);
      look(changes, now);
      // Once for what has changed, and once more for what other loops make of that.
      var _ = step.get();
      var _ = step.get();
      assertThat(step.get()).as("rests before %s changes", topic).isGreaterThan(usual);

      numbers.put(topic, 1L);
      look(changes, now);

      Duration pause = step.get();
      if (topics.contains(topic)) {
        assertThat(pause).as("after a change of %s", topic).isLessThanOrEqualTo(usual);
      } else {
        assertThat(pause).as("after a change of %s", topic).isGreaterThan(usual);
      }
      numbers.put(topic, 0L);
    }
  }

  private static void look(ChangeWatch changes, AtomicLong now) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    var _ = changes.look();
  }
}
