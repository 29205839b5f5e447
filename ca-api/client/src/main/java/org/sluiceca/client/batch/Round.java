package org.sluiceca.client.batch;

import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.batch.input.BatchRequest;
import org.sluiceca.client.batch.input.LineReader;
import org.sluiceca.client.batch.input.Requests;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.stream.StreamedCall;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One exchange with a node: sends the requests whose outcome is unknown, and records each result.
 *
 * <p>{@link #next} is called by the sending thread, all others by the caller's. They share the
 * requests that were sent and have no result, and the semaphore that limits their number.
 */
final class Round implements StreamedCall {
  /**
   * Sent before the first result: a refusal of the whole must not be lost behind a long body. More
   * than the 32 that the service works on: it ends a batch of which nothing comes for ten seconds
   * while it reads.
   */
  private static final int FIRST = 48;

  /** Sent without a result at most; the service works on 32. */
  private static final int WINDOW = 512;

  /** The service takes 100,000 lines at most; a later exchange may go to another node. */
  private static final int LINES_MAX = 20_000;

  /** Certificate and chain; the service's own limits make it a tenth of this. */
  private static final int RESULT_OCTETS_MAX = 256 << 10;

  private static final Duration RESULT_TIME = Duration.ofSeconds(150);
  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final Pattern ORDER = Pattern.compile("/v1/orders/([0-9a-fA-F]{1,40})");
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** A request that was sent. */
  record Sent(int number, String id, String keyDigest) {}

  /** What happens to the results. */
  interface Records {
    /** The certificate of a request, from the service. */
    void issued(Sent sent, JsonNode holder);

    void accepted(Sent sent, String order);

    void failed(Sent sent, JsonNode problem);

    void bad(Requests.Bad bad);
  }

  private final String batch;
  private final Requests.Cursor requests;
  private final BitSet skip;
  private final Records records;
  private final Map<String, Sent> open = new ConcurrentHashMap<>();
  private final Semaphore window = new Semaphore(FIRST);
  private final List<Requests.Bad> bad = new CopyOnWriteArrayList<>();
  private volatile boolean isEnding;
  private int lines;
  private int settled;
  private boolean isOpened;
  private boolean isOver;
  private @Nullable Reply ending;

  /** Sends what {@code skip} does not hold, under keys with the name of the batch. */
  Round(String batch, Requests.Cursor requests, BitSet skip, Records records) {
    this.batch = batch;
    this.requests = requests;
    this.skip = skip;
    this.records = records;
  }

  @Override
  public byte @Nullable [] next() throws InterruptedException {
    while (lines < LINES_MAX) {
      while (!window.tryAcquire(1, TimeUnit.SECONDS)) {
        if (isEnding) {
          return null;
        }
      }
      Requests.Entry entry = isEnding ? null : requests.next(skip);
      switch (entry) {
        case null -> {
          return null;
        }
        case Requests.Bad fault -> {
          bad.add(fault);
          window.release();
        }
        case Requests.Good(int number, BatchRequest request) -> {
          Sent sent = new Sent(number, request.id(), request.keyDigest());
          if (open.putIfAbsent(request.id(), sent) == null) {
            lines++;
            return request.line(batch);
          }
          // The input changed since it was planned. A later exchange finds it to be a double.
          window.release();
        }
      }
    }
    return null;
  }

  @Override
  public void answer(InputStream body) throws IOException {
    LineReader reader = new LineReader(body, RESULT_OCTETS_MAX, RESULT_TIME);
    for (Optional<byte[]> line = reader.next(); line.isPresent(); line = reader.next()) {
      take(parsed(line.get()));
    }
    if (!open.isEmpty() && ending == null) {
      throw new ProtocolException(open.size() + " results are missing");
    }
  }

  private static JsonNode parsed(byte[] line) throws ProtocolException {
    try {
      JsonNode result = MAPPER.readTree(line);
      if (result.isObject()) {
        return result;
      }
    } catch (JacksonException e) {
      // Said below.
    }
    throw new ProtocolException("a result is no JSON object");
  }

  private void take(JsonNode result) throws ProtocolException {
    if (!isOpened) {
      isOpened = true;
      window.release(WINDOW - FIRST);
    }
    int status = result.path("status").asInt(0);
    if (!result.has("id")) {
      // Of all that was not read any more, and the last one.
      if (isOver) {
        throw new ProtocolException("results go on after the last one");
      }
      isOver = true;
      end(status, result);
      return;
    }
    Sent sent = open.remove(result.path("id").asString(""));
    if (sent == null) {
      throw new ProtocolException("a result is for no request that waits for one");
    }
    window.release();
    if (status == CREATED) {
      settled++;
      records.issued(sent, result);
    } else if (status == ACCEPTED) {
      Matcher order = ORDER.matcher(result.path("location").asString(""));
      if (!order.matches()) {
        throw new ProtocolException("a result names no order");
      }
      settled++;
      records.accepted(sent, order.group(1).toLowerCase(Locale.ROOT));
    } else if (Service.isFinal(status)) {
      settled++;
      records.failed(sent, result.path("problem"));
    } else {
      end(status, result);
    }
  }

  /** The longest time that any result asks for counts. */
  private void end(int status, JsonNode result) {
    isEnding |= status == TOO_MANY || status == UNAVAILABLE || !result.has("id");
    long seconds = Math.clamp(result.path("retryAfter").asLong(0), 0, 999_999_999);
    long sooner = ending == null ? -1 : ending.headers().firstValueAsLong("Retry-After").orElse(0);
    if (seconds > sooner) {
      HttpHeaders headers =
          HttpHeaders.of(
              Map.of("Retry-After", List.of(Long.toString(seconds))), (name, value) -> true);
      ending = new Reply(status, headers, MAPPER.writeValueAsBytes(result.path("problem")));
    }
  }

  /** Records what was found to be no request while this sent; called after the exchange. */
  void close() {
    requests.close();
    for (Requests.Bad fault : bad) {
      settled++;
      records.bad(fault);
    }
  }

  /** How many requests have an outcome or an order by this exchange. */
  int settled() {
    return settled;
  }

  /** Why not all has a result, with the time to wait; empty if all that was sent has. */
  Optional<Reply> ending() {
    return Optional.ofNullable(ending);
  }
}
