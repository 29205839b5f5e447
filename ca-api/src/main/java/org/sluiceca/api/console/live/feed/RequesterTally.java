package org.sluiceca.api.console.live.feed;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.request.RequesterId;

/**
 * Counts what each requester is issued and refused while a live page is open; otherwise an event
 * costs a look at one field. Thread-safe; never blocks.
 */
public final class RequesterTally implements EventSink {

  /** What more requesters ask for is counted together. 200 bytes each. */
  static final int REQUESTERS_MAX = 256;

  /** All beyond {@link #REQUESTERS_MAX}: no requester can be called that. */
  static final String OTHERS = "(others)";

  private static final class Adders {
    private final LongAdder issued = new LongAdder();
    private final LongAdder refused = new LongAdder();
  }

  private final ConcurrentMap<String, Adders> requesters = new ConcurrentHashMap<>();
  private volatile boolean isCounting;

  /** Begins to count, from 0, or ends it. */
  void count(boolean isWanted) {
    if (isWanted != isCounting) {
      isCounting = isWanted;
      requesters.clear();
    }
  }

  @Override
  public void accept(CaEvent event) {
    if (!isCounting) {
      return;
    }
    switch (event) {
      case CaEvent.CertificateIssued issued -> adders(issued.requester()).issued.increment();
      case CaEvent.RequestShed shed -> adders(shed.requester()).refused.increment();
      case CaEvent.RequestRejected rejected -> adders(rejected.requester()).refused.increment();
      default -> {}
    }
  }

  private Adders adders(RequesterId requester) {
    Adders known = requesters.get(requester.value());
    if (known != null) {
      return known;
    }
    // Of several at once, a few may come in beyond the bound.
    String name = requesters.size() < REQUESTERS_MAX ? requester.value() : OTHERS;
    return requesters.computeIfAbsent(name, key -> new Adders());
  }

  /** Returns the counts by requester. */
  Map<String, Tally> tallies() {
    return requesters.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey,
                e -> new Tally(e.getValue().issued.sum(), e.getValue().refused.sum())));
  }
}
