package org.sluiceca.core.event;

/** Takes the line's events. Must not block, must not throw; called from many threads. */
@FunctionalInterface
public interface EventSink {

  /** Takes one event, in the order in which its enrollment made them. */
  void accept(CaEvent event);
}
