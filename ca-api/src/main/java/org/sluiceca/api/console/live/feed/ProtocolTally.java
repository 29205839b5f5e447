package org.sluiceca.api.console.live.feed;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Occasion;

/** Counts the requests for certificates by the way they came. Thread-safe; never blocks. */
public final class ProtocolTally implements BiConsumer<EnrollmentRequest, IssuanceResult> {

  /** The ways to the line: a closed set, so that nothing that a client sends adds one. */
  enum Protocol {
    REST("REST"),
    BATCH("REST, batch"),
    RENEWAL("REST, renewal"),
    ACME("ACME"),
    NODE("the node itself");

    private final String title;

    Protocol(String title) {
      this.title = title;
    }

    static Protocol of(EnrollmentRequest request) {
      return switch (request.requester().authentication()) {
        case REGISTRATION -> ACME;
        case NODE, CEREMONY -> NODE;
        case RENEWAL_PROOF -> RENEWAL;
        case BEARER_TOKEN, CLIENT_CERTIFICATE ->
            switch (request.occasion()) {
              case Occasion.Batch() -> BATCH;
              case Occasion.Renewal _ -> RENEWAL;
              case Occasion.Single(), Occasion.Replacement() -> REST;
            };
      };
    }
  }

  private record Adders(LongAdder accepted, LongAdder refused) {}

  private final Map<Protocol, Adders> counts = new EnumMap<>(Protocol.class);

  /** Counts from 0. */
  public ProtocolTally() {
    for (Protocol protocol : Protocol.values()) {
      counts.put(protocol, new Adders(new LongAdder(), new LongAdder()));
    }
  }

  @Override
  public void accept(EnrollmentRequest request, IssuanceResult result) {
    Adders adders = Objects.requireNonNull(counts.get(Protocol.of(request)));
    switch (result) {
      case IssuanceResult.Shed _, IssuanceResult.Rejected _ -> adders.refused.increment();
      case IssuanceResult.Issued _,
          IssuanceResult.Pending _,
          IssuanceResult.Replayed _,
          IssuanceResult.InProgress _,
          IssuanceResult.GivenUp _ ->
          adders.accepted.increment();
    }
  }

  /** Returns the counts since the node began by the protocol's title, in a fixed order. */
  Map<String, Tally> tallies() {
    Map<String, Tally> tallies = new LinkedHashMap<>();
    counts.forEach(
        (protocol, adders) ->
            tallies.put(protocol.title, new Tally(adders.accepted.sum(), adders.refused.sum())));
    return tallies;
  }
}
