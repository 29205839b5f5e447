package org.sluiceca.client.batch;

import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.batch.input.BatchRequest;
import org.sluiceca.client.batch.input.Requests;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;

/**
 * One run of a batch: looks at what its folder holds, sends the rest in as many exchanges as it
 * takes, and fetches what became an order. A request is asked for under the same key in each run
 * and exchange, so the next run continues one that ended anywhere. Not thread-safe; blocks.
 */
final class BatchRun implements Round.Records {
  private static final String PATH = "/v1/certificates:batch";
  private static final int OK = 200;

  private final Service service;
  private final Console console;
  private final Requests requests;
  private final BatchFolder folder;
  private final Outcomes outcomes;
  private final PendingOrders orders;
  private final BitSet ordered = new BitSet();
  private @Nullable Progress progress;
  private String reason = "";

  BatchRun(
      Service service, Console console, Requests requests, BatchFolder folder, Outcomes outcomes) {
    this.service = service;
    this.console = console;
    this.requests = requests;
    this.folder = folder;
    this.outcomes = outcomes;
    this.orders = new PendingOrders(service, this);
  }

  /**
   * Runs until every outcome is known, or the service has made no progress for as long as the
   * command waits.
   *
   * @param profile of the command line, or empty
   * @param newKeys whether to go on though the service may have forgotten earlier requests
   */
  void run(String profile, boolean newKeys) {
    Instant now = Instant.now();
    Optional<BatchName> kept = BatchName.of(folder.path());
    kept.ifPresent(name -> checkProfile(name, profile));
    plan(now);
    progress =
        new Progress(
            console,
            Progress.isTerminal(),
            System::nanoTime,
            requests.count(),
            outcomes.issued() + outcomes.failed());
    if (isSettled()) {
      outcomes.begin();
      return;
    }
    BatchName fresh = BatchName.fresh(profile, now);
    BatchName name = chosen(kept.orElse(fresh), fresh, newKeys, now);
    Credential credential = service.connection().credential();
    if (!name.isBegunWith(credential)) {
      console.note(
          "this batch was begun with another credential: if that is another requester's, what was"
              + " issued and is not in %s is issued a second time",
          folder.path());
    }
    outcomes.begin();
    // On disk before the first key is used: no kill makes the next run choose others.
    name.begunWith(credential).keep(folder.path());
    exchange(name);
    listTheRest();
  }

  /** Finds what is done, what is no request, and ids that two requests have. */
  private void plan(Instant now) {
    Map<String, Integer> ids = new HashMap<>();
    BitSet none = new BitSet();
    try (Requests.Cursor cursor = requests.open()) {
      for (Requests.Entry entry = cursor.next(none); entry != null; entry = cursor.next(none)) {
        switch (entry) {
          case Requests.Bad fault -> bad(fault);
          case Requests.Good(int number, BatchRequest request) -> {
            // Two names that differ in case alone are one file on Windows and macOS.
            Integer other = ids.putIfAbsent(request.id().toLowerCase(Locale.ROOT), number);
            if (other == null) {
              look(number, request, now);
            } else {
              bad(new Requests.Bad(number, request.id(), "another request has this id"));
            }
          }
        }
      }
    }
  }

  private void look(int number, BatchRequest request, Instant now) {
    Optional<Issued> here = folder.certificate(request, now);
    if (here.isPresent()) {
      outcomes.issued(number, request.id(), here.get(), folder.file(request.id()), true);
    } else if (!folder.isFree(request.id())) {
      bad(
          new Requests.Bad(
              number,
              request.id(),
              folder.file(request.id())
                  + " is no certificate alone, and is not overwritten: move it away"));
    }
  }

  private void checkProfile(BatchName kept, String profile) {
    if (!kept.profile().equals(profile)) {
      throw Failure.usage(
          folder.path()
              + " holds a batch "
              + (kept.profile().isEmpty() ? "without --profile" : "of --profile " + kept.profile())
              + ": name another --out for this one");
    }
  }

  private BatchName chosen(BatchName kept, BatchName fresh, boolean newKeys, Instant now) {
    if (kept.isLate(now) && newKeys) {
      return fresh;
    }
    if (kept.isLate(now)) {
      throw Failure.of(
          "this batch began at "
              + kept.began()
              + ", and the service keeps idempotency keys for seven days: of "
              + open()
              + " requests without a certificate here some may be issued, and would be issued"
              + " again. Look for them (sluice find), or go on with --new-keys");
    }
    return kept;
  }

  private void exchange(BatchName name) {
    int lost = 0;
    while (!isSettled() || !orders.isEmpty()) {
      if (name.isLate(Instant.now())) {
        reason = "the batch has taken so long that the service forgets its keys";
        return;
      }
      if (isSettled()) {
        if (!orders.fetch()) {
          reason = "no order was issued in the time of --wait, or none could be asked for";
          return;
        }
        continue;
      }
      Round round = new Round(name.name(), requests.open(), unsent(), this);
      Reply reply;
      try {
        reply = service.stream(PATH, round);
      } finally {
        round.close();
      }
      if (Service.isFinal(reply)) {
        throw Failure.of(service.refusal(reply));
      }
      lost = round.settled() > 0 ? 0 : lost + 1;
      // A silent node may use up --wait: each of the others is still asked once.
      if (round.settled() > 0
          || (Service.isLost(reply) && lost <= service.connection().urls().size())) {
        service.renewPatience();
      }
      Optional<Reply> ending = reply.status() == OK ? round.ending() : Optional.of(reply);
      if (ending.isEmpty() && round.settled() == 0) {
        // All was answered and nothing came of it: the node says nothing, or the input has changed.
        ending = Optional.of(Service.lost());
      }
      if (ending.isPresent()) {
        reason = service.refusal(ending.get());
        if (!service.waitsToRepeat(ending.get())) {
          return;
        }
      }
    }
  }

  private BitSet unsent() {
    BitSet sent = outcomes.known();
    sent.or(ordered);
    return sent;
  }

  private int open() {
    return requests.count() - unsent().cardinality();
  }

  /** Whether each request has an outcome or is an order. */
  private boolean isSettled() {
    return open() <= 0;
  }

  /** What has no outcome is listed, too: a reader of the list sees all that is missing. */
  private void listTheRest() {
    orders.forEach(
        order ->
            outcomes.failed(
                order.sent().number(),
                order.sent().id(),
                "Not issued yet",
                "order " + order.id() + " is pending; run the same command again"));
    BitSet unsent = unsent();
    if (isSettled()) {
      return;
    }
    try (Requests.Cursor cursor = requests.open()) {
      for (Requests.Entry entry = cursor.next(unsent); entry != null; entry = cursor.next(unsent)) {
        outcomes.failed(
            entry.number(), entry.id(), "Not issued yet", reason + "; run the same command again");
      }
    }
  }

  @Override
  public void issued(Round.Sent sent, JsonNode holder) {
    Optional<Issued> issued = Issued.of(holder);
    if (issued.isEmpty()) {
      outcomes.failed(sent.number(), sent.id(), "Not written", "the answer holds no certificate");
    } else if (!issued.get().keyDigest().equals(sent.keyDigest())) {
      outcomes.failed(
          sent.number(), sent.id(), "Not written", "the certificate is for another public key");
    } else if (!issued.get().notAfter().isAfter(Instant.now())) {
      outcomes.failed(
          sent.number(),
          sent.id(),
          "Not written",
          "the certificate of this request has expired: name another --out to enroll it again");
    } else {
      folder.write(sent.id(), issued.get());
      outcomes.issued(sent.number(), sent.id(), issued.get(), folder.file(sent.id()), false);
    }
    show();
  }

  @Override
  public void accepted(Round.Sent sent, String order) {
    ordered.set(sent.number());
    orders.add(sent, order);
  }

  @Override
  public void failed(Round.Sent sent, JsonNode problem) {
    outcomes.failed(sent.number(), sent.id(), problem);
    show();
  }

  @Override
  public void bad(Requests.Bad fault) {
    outcomes.failed(fault.number(), fault.id(), "Not sent", fault.fault());
    show();
  }

  private void show() {
    if (progress != null) {
      progress.show(outcomes.issued(), outcomes.failed());
    }
  }
}
