package org.sluiceca.core.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;

/** Keeps every event in the order of arrival, for oracles. Thread-safe. */
public final class ListEventSink implements EventSink {

  private final List<CaEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void accept(CaEvent event) {
    events.add(event);
  }

  /** Returns what came so far. */
  public List<CaEvent> events() {
    return List.copyOf(events);
  }

  /** Returns the simple names of the events so far, in order. */
  public List<String> names() {
    return events.stream().map(e -> e.getClass().getSimpleName()).toList();
  }
}
