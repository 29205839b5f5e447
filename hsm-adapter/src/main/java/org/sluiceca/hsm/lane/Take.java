package org.sluiceca.hsm.lane;

/** What a session thread is to do next. */
public sealed interface Take<J> {
  /** Execute this job; it now holds a permit. */
  record Run<J>(Ticket<J> ticket) implements Take<J> {}

  /** Answer that its deadline cannot be met; it holds no permit. */
  record Drop<J>(Ticket<J> ticket) implements Take<J> {}

  /** Nothing is queued or the limiter admits none. */
  record Nothing<J>() implements Take<J> {}
}
