package org.sluiceca.api.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.console.live.feed.Readings;
import org.sluiceca.api.console.session.Session;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What is written to a browser that reads, to one that does not, and to one that is gone. */
class LiveStreamTest {

  /** A connection that takes a number of writes until its buffers are full. */
  private static final class Output extends ServletOutputStream {

    private final StringBuilder written = new StringBuilder();
    private int room = Integer.MAX_VALUE;
    private boolean isGone;
    private boolean isTakenBack;

    @Override
    public boolean isReady() {
      if (isTakenBack) {
        throw new IllegalStateException("the response has been recycled");
      }
      return room > 0;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      // The test does the container's part.
    }

    @Override
    public void write(int octet) {
      written.append((char) octet);
    }

    @Override
    public void write(byte[] octets) throws IOException {
      if (isGone) {
        throw new IOException("broken pipe");
      }
      assertThat(room).as("written only when ready").isPositive();
      room--;
      written.append(new String(octets, StandardCharsets.US_ASCII));
    }
  }

  private final Output out = new Output();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger ends = new AtomicInteger();
  private final MockAsyncContext context =
      new MockAsyncContext(new MockHttpServletRequest(), new MockHttpServletResponse());
  private final LiveStream stream =
      new LiveStream(
          new Session(Tokens.hash("x"), "x", Readings.OFFICER, Instant.EPOCH, Instant.EPOCH),
          context,
          out,
          cuts::incrementAndGet,
          ends::incrementAndGet);

  private void offer(String event, long second) {
    stream.offer(event.getBytes(StandardCharsets.US_ASCII), second * Readings.SECOND);
  }

  private void begun() {
    stream.begin("0".getBytes(StandardCharsets.US_ASCII));
    stream.onWritePossible();
  }

  @Test
  void offer_reader_everyEventInOrder() {
    begun();
    offer("1", 1);
    offer("2", 2);

    assertThat(out.written).hasToString("012");
    assertThat(cuts).hasValue(0);
  }

  @Test
  void offer_fullBuffers_newestWaitsAndOlderAreDropped() {
    begun();
    out.room = 1;
    offer("1", 1);
    offer("2", 2);
    offer("3", 3);
    assertThat(out.written).hasToString("01");

    out.room = 9;
    stream.onWritePossible();
    offer("4", 4);

    assertThat(out.written).hasToString("0134");
  }

  @Test
  void offer_stalledForLong_connectionIsCutOnce() {
    begun();
    out.room = 0;
    for (int second = 1; second <= 11; second++) {
      offer("x", second);
    }
    assertThat(cuts).hasValue(0);

    for (int second = 12; second < 20; second++) {
      offer("x", second);
    }

    assertThat(cuts).hasValue(1);
  }

  @Test
  void offer_stalledNowAndThen_notCut() {
    begun();
    for (int second = 1; second < 60; second++) {
      out.room = second % 9 == 0 ? 9 : 0;
      if (out.room > 0) {
        stream.onWritePossible();
      }
      offer("x", second);
    }

    assertThat(cuts).hasValue(0);
  }

  @Test
  void offer_goneBrowser_nothingMoreIsWritten() {
    begun();
    out.isGone = true;
    offer("1", 1);
    out.isGone = false;
    offer("2", 2);

    assertThat(out.written).hasToString("0");
  }

  /** One exception to the thread that feeds all streams would be felt by all of them. */
  @Test
  void offer_answerTakenBack_onlyThisStreamEnds() {
    begun();
    out.isTakenBack = true;

    offer("1", 1);

    assertThat(ends).hasValue(1);
  }

  @Test
  void end_answerTakenBack_othersCanBeEnded() {
    begun();
    out.isTakenBack = true;

    stream.end("e".getBytes(StandardCharsets.US_ASCII));

    assertThat(cuts).hasValue(1);
  }

  @Test
  void end_reader_lastEventAndCompletion() {
    begun();

    stream.end("e".getBytes(StandardCharsets.US_ASCII));
    offer("1", 1);

    assertThat(out.written).hasToString("0e");
    assertThat(cuts).hasValue(0);
  }

  /** Completing would wait for the browser. */
  @Test
  void end_stalled_connectionIsCut() {
    begun();
    out.room = 0;

    stream.end("e".getBytes(StandardCharsets.US_ASCII));

    assertThat(cuts).hasValue(1);
  }

  @Test
  void failed_reportsItsEnd() {
    begun();
    stream.onError(new IOException("gone"));
    offer("1", 1);

    assertThat(ends).hasValue(1);
    assertThat(out.written).hasToString("0");
  }
}
