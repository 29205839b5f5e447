package org.sluiceca.api.ocsp;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.ocsp.SignatureShares.Share;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.OcspRequest;
import org.sluiceca.core.der.OcspRequestReader;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.ocsp.AnswerCache.Look;
import org.sluiceca.core.ocsp.AnswerKey;
import org.sluiceca.core.ocsp.IssuerHashes;
import org.sluiceca.core.ocsp.Reply;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.ocsp.ResponseIssuance;
import org.sluiceca.core.ocsp.Standing;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.OctetString;

/**
 * Answers requests: from the cache, by joining who makes the same answer, or by making it.
 * Thread-safe; blocks for {@link #WAIT_MAX} at most.
 */
public final class OcspAnswers {

  /** TLS stacks wait for a responder for 5 s (Go's users, nginx) to 15 s (the JDK). */
  static final Duration WAIT_MAX = Duration.ofSeconds(4);

  private static final Logger LOG = LoggerFactory.getLogger(OcspAnswers.class);

  /** The components that know what an answer says, and those that make it one. */
  public record Sources(
      IssuerHashes issuers,
      Responders responders,
      StatusLookups lookups,
      SignatureShares shares,
      ResponseIssuance issuance) {}

  private final Sources sources;
  private final AnswerCache<CountDownLatch> cache;
  private final boolean honoursNonces;
  private final InstantSource clock;
  private final Ticker ticker;
  private final OcspMetrics metrics;
  private final EventSink events;

  /** Answers from {@code cache} what {@code sources} once said. */
  public OcspAnswers(
      Sources sources,
      AnswerCache<CountDownLatch> cache,
      boolean honoursNonces,
      InstantSource clock,
      Ticker ticker,
      OcspMetrics metrics,
      EventSink events) {
    this.sources = sources;
    this.cache = cache;
    this.honoursNonces = honoursNonces;
    this.clock = clock;
    this.ticker = ticker;
    this.metrics = metrics;
    this.events = events;
  }

  /** A request that this node may answer. */
  private record Question(
      Issuer issuer, Responder responder, List<CertId> certIds, Optional<OctetString> nonce) {

    /** Returns whether other requests may get the same answer. */
    boolean isShared() {
      return certIds.size() == 1 && nonce.isEmpty();
    }
  }

  /** Answers the DER of a request. */
  public Reply answer(byte[] request) {
    Reply reply;
    try {
      reply = answer(OcspRequestReader.read(request));
    } catch (DerException e) {
      LOG.debug("no OCSP request: {}", e.fault());
      reply = new Reply.Refused(OcspResponseStatus.MALFORMED_REQUEST);
    }
    metrics.answered(reply);
    return reply;
  }

  private Reply answer(OcspRequest request) {
    Optional<OcspRequest.Nonce> nonce = request.nonce();
    if (!honoursNonces && nonce.isPresent() && nonce.get().isCritical()) {
      return new Reply.Refused(OcspResponseStatus.MALFORMED_REQUEST);
    }
    Optional<Issuer> issuer = issuer(request);
    Optional<Responder> responder =
        issuer.flatMap(known -> sources.responders().find(known.name()));
    if (issuer.isEmpty() || responder.isEmpty()) {
      return new Reply.Refused(OcspResponseStatus.UNAUTHORIZED);
    }
    Question question =
        new Question(
            issuer.get(),
            responder.get(),
            request.certIds(),
            nonce.filter(n -> honoursNonces).map(OcspRequest.Nonce::value));
    Deadline deadline = Deadline.after(WAIT_MAX, ticker);
    return question.isShared() ? shared(question, deadline) : alone(question, deadline);
  }

  /** One responder speaks for one issuer: no responder can answer a request about two. */
  private Optional<Issuer> issuer(OcspRequest request) {
    List<Optional<Issuer>> issuers =
        request.certIds().stream().map(sources.issuers()::find).distinct().toList();
    return issuers.size() == 1 ? issuers.getFirst() : Optional.empty();
  }

  private Reply shared(Question question, Deadline deadline) {
    AnswerKey key = AnswerKey.of(question.issuer().name(), question.certIds().getFirst());
    Look<CountDownLatch> look = cache.look(key, clock.instant());
    metrics.looked(look);
    return switch (look) {
      case Look.Hit<CountDownLatch>(Reply.Signed answer) -> answer;
      case Look.Full<CountDownLatch> full -> new Reply.Refused(OcspResponseStatus.TRY_LATER);
      case Look.Follow<CountDownLatch>(var flight) -> follow(flight, deadline);
      case Look.Lead<CountDownLatch>(var flight, var old) -> lead(flight, old, question, deadline);
    };
  }

  private Reply follow(AnswerCache.Flight<CountDownLatch> flight, Deadline deadline) {
    try {
      boolean _ = flight.latch().await(deadline.remainingNanos(ticker), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      cache.leave();
    }
    return flight.reply().orElseGet(() -> new Reply.Refused(OcspResponseStatus.TRY_LATER));
  }

  private Reply lead(
      AnswerCache.Flight<CountDownLatch> flight,
      Optional<Reply.Signed> old,
      Question question,
      Deadline deadline) {
    // The reply that a bug leaves behind: no request may wait for a flight that never lands.
    Reply reply = new Reply.Refused(OcspResponseStatus.INTERNAL_ERROR);
    try {
      reply = make(question, deadline);
    } finally {
      cache.land(flight, reply);
      flight.latch().countDown();
    }
    return reply instanceof Reply.Refused && old.isPresent() ? old.get() : reply;
  }

  private Reply alone(Question question, Deadline deadline) {
    if (!cache.beginAlone()) {
      return new Reply.Refused(OcspResponseStatus.TRY_LATER);
    }
    try {
      return make(question, deadline);
    } finally {
      cache.endAlone();
    }
  }

  private Reply make(Question question, Deadline deadline) {
    try {
      Map<CertId, Standing> standings =
          sources.lookups().of(question.issuer(), question.certIds(), deadline);
      if (standings.values().stream().anyMatch(s -> s instanceof Standing.Unanswered)) {
        return new Reply.Refused(OcspResponseStatus.UNAUTHORIZED);
      }
      return sign(question, standings, deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Refused(OcspResponseStatus.TRY_LATER);
    } catch (SignatureRefused e) {
      LOG.error("an OCSP response is not released: {}", e.getMessage());
      events.accept(new CaEvent.OcspSignatureRefused(question.issuer().name()));
      return new Reply.Refused(OcspResponseStatus.INTERNAL_ERROR);
    } catch (CaUnavailable e) {
      LOG.debug("no OCSP response now: {}", e.getMessage());
      return new Reply.Refused(OcspResponseStatus.TRY_LATER);
    }
  }

  private Reply sign(Question question, Map<CertId, Standing> standings, Deadline deadline)
      throws InterruptedException {
    boolean isNeverIssued =
        standings.values().stream().anyMatch(s -> s instanceof Standing.NeverIssued);
    Share share =
        isNeverIssued ? Share.NEVER_ISSUED : question.isShared() ? Share.KEPT : Share.ALONE;
    if (!sources.shares().enter(share, deadline)) {
      return new Reply.Refused(OcspResponseStatus.TRY_LATER);
    }
    try {
      return sources
          .issuance()
          .issue(
              question.responder(),
              standings,
              isNeverIssued && sources.lookups().isExtendedRevoke(),
              question.nonce(),
              deadline);
    } finally {
      sources.shares().leave(share);
    }
  }
}
