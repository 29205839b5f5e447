package org.sluiceca.load.scenario.wire;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** The process that started this one. Without it no process waits for the result of this one. */
public final class Parent {

  private static final Duration LOOK = Duration.ofMillis(500);

  private Parent() {}

  /**
   * Has {@code orphaned} run once, in a thread of its own, within a second after the parent's end:
   * a process that was killed (SIGKILL) ends no children.
   */
  public static void watch(Runnable orphaned) {
    OptionalLong parent = pid();
    Thread ignored =
        Thread.ofPlatform()
            .name("parent")
            .daemon()
            .start(
                () -> {
                  while (pid().equals(parent)) {
                    LockSupport.parkNanos(LOOK.toNanos());
                  }
                  orphaned.run();
                });
  }

  /** Another one's, or none, once the parent has ended. */
  private static OptionalLong pid() {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }
}
