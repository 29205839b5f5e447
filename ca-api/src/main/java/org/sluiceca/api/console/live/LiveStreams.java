package org.sluiceca.api.console.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.nodes.NodesFeed;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.api.http.connector.evict.ConnectionCut;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.share.FairPlaces;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.context.SmartLifecycle;
import tools.jackson.databind.json.JsonMapper;

/**
 * The streams of this node's live pages: bounded in all, of which each requester has its share, and
 * of each session. Each ends after some minutes, and soon after its session; a browser that still
 * wants it comes again. Thread-safe.
 */
public final class LiveStreams implements SmartLifecycle {

  static final String MEDIA_TYPE = "text/event-stream;charset=UTF-8";

  /** Tabs of one browser. */
  static final int OF_SESSION_MAX = 4;

  /** Whatever the checks of sessions find, none lasts longer. */
  private static final Duration LIFE_MAX = Duration.ofMinutes(5);

  /** How soon a stream ends after its session: as REST believes a revoked token. */
  private static final Duration CHECK = Duration.ofSeconds(5);

  private static final Duration REST = Duration.ofDays(1);

  private static final byte[] SIGNED_OUT = ended("signed out");
  private static final byte[] LEAVING = ended("leaving");

  private final LiveFeed feed;
  private final NodesFeed nodes;
  private final Predicate<Session> goesOn;
  private final int max;
  private final FairPlaces<RequesterId> places;
  private final JsonMapper json = JsonMapper.builder().build();
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
  private final PeriodicTask checks;
  private final AtomicBoolean isChecking = new AtomicBoolean();
  private final Counter refused;
  private volatile boolean isRunning;

  /**
   * Feeds at most {@code max} streams at once.
   *
   * @param goesOn whether a session has not ended; may block and throw {@link
   *     org.sluiceca.core.failure.CaUnavailable}
   */
  public LiveStreams(
      LiveFeed feed, NodesFeed nodes, Predicate<Session> goesOn, int max, MeterRegistry registry) {
    this.feed = feed;
    this.nodes = nodes;
    this.goesOn = goesOn;
    this.max = max;
    this.places = new FairPlaces<>(Math.max(1, max));
    this.checks =
        new PeriodicTask(
            new PeriodicTask.Terms(
                LiveStreams.class,
                "console-streams",
                "the sessions of live pages are not checked",
                CHECK,
                CHECK,
                Duration.ZERO),
            isStopping -> check());
    Gauge.builder("ca.console.streams", places, FairPlaces::taken).register(registry);
    this.refused = registry.counter("ca.console.streams.refused");
    feed.report(() -> !streams.isEmpty(), this::send);
  }

  /** Answers with a stream; returns false, answering nothing, if there is no place for it. */
  boolean open(Session session, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    RequesterId requester = session.requester().id();
    if (!isRunning || max == 0 || ofSession(session.id()) >= OF_SESSION_MAX) {
      refused.increment();
      return false;
    }
    if (!places.take(requester)) {
      refused.increment();
      return false;
    }
    Place place = new Place(requester);
    boolean isBegun = false;
    try {
      byte[] first = event(feed.look(), session);
      response.setContentType(MEDIA_TYPE);
      // A proxy that fills a buffer before it passes it on would make figures old.
      response.setHeader("X-Accel-Buffering", "no");
      AsyncContext context = request.startAsync();
      context.setTimeout(LIFE_MAX.toMillis());
      LiveStream stream =
          new LiveStream(
              session,
              context,
              context.getResponse().getOutputStream(),
              ConnectionCut.ofThisConnection(),
              place::giveBack);
      place.stream = stream;
      streams.add(stream);
      stream.begin(first);
      isBegun = true;
      if (!isRunning) {
        // The node began to leave meanwhile, and may not have seen this one.
        stream.end(LEAVING);
      }
    } finally {
      if (!isBegun) {
        place.giveBack();
      }
    }
    if (isChecking.compareAndSet(false, true)) {
      checks.start();
    } else {
      checks.wake();
    }
    return true;
  }

  /** The place of a stream, which is given back once, whatever ends it. */
  private final class Place {

    private final RequesterId requester;
    private final AtomicBoolean isGivenBack = new AtomicBoolean();
    private volatile @Nullable LiveStream stream;

    Place(RequesterId requester) {
      this.requester = requester;
    }

    void giveBack() {
      if (isGivenBack.compareAndSet(false, true)) {
        LiveStream over = stream;
        if (over != null) {
          streams.remove(over);
        }
        places.giveBack(requester);
      }
    }
  }

  private static byte[] ended(String reason) {
    return String.format(Locale.ROOT, "event: end\ndata: {\"reason\":\"%s\"}\n\n", reason)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private long ofSession(OctetString id) {
    return streams.stream().filter(stream -> stream.session().id().equals(id)).count();
  }

  /** Sends a moment to all; those who may see the same receive the same octets. */
  private void send(LiveFeed.Moment moment) {
    Map<String, byte[]> events = new HashMap<>();
    long now = System.nanoTime();
    for (LiveStream stream : streams) {
      Session session = stream.session();
      String viewer =
          RequesterShares.isStaff(session.requester()) ? "" : session.requester().id().value();
      stream.offer(events.computeIfAbsent(viewer, key -> event(moment, session)), now);
    }
  }

  private byte[] event(LiveFeed.Moment moment, Session session) {
    LiveFeed.Point point = moment.point();
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("view", LiveView.of(moment, session.requester(), nodes));
    if (moment.rates().isKnown()) {
      content.put(
          "point",
          new double[] {point.epochSeconds(), point.issued(), point.refused(), point.waiting()});
    }
    return ("retry: 2000\nevent: live\ndata: " + json.writeValueAsString(content) + "\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Ends the streams whose sessions have ended; each session is asked for once. */
  Duration check() {
    if (streams.isEmpty()) {
      return REST;
    }
    record Proof(OctetString session, Optional<X509Certificate> certificate) {}
    Map<Proof, Boolean> known = new HashMap<>();
    for (LiveStream stream : streams) {
      Session session = stream.session();
      Proof proof = new Proof(session.id(), session.certificate());
      if (!known.computeIfAbsent(proof, each -> goesOn.test(session))) {
        stream.end(SIGNED_OUT);
      }
    }
    return CHECK;
  }

  @Override
  public void start() {
    isRunning = true;
  }

  /** A node that leaves does not wait for browsers: they come again, elsewhere. */
  @Override
  public void stop() {
    isRunning = false;
    streams.forEach(stream -> stream.end(LEAVING));
    checks.close();
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  /** After the notice of leaving, before the web server waits for its requests. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE - 1;
  }
}
