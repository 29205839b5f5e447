package org.sluiceca.load.scenario.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.Offer.Kind;

class RequestRecordTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private static final RequestRecord ISSUED =
      new RequestRecord(
          Kind.ENROLL,
          2,
          "a",
          "gat1-2-7",
          1,
          0,
          1_000_000,
          900_000,
          3_000_000,
          9_000_000,
          201,
          "01ab",
          -1,
          "");

  private static final RequestRecord REFUSED =
      new RequestRecord(Kind.OCSP, 2, "a", "", 0, 1, 5, 5, 5, 7, 503, "01ab", 12, "saturated");

  @Test
  void lines_areReadAsTheyWereWritten() throws IOException {
    Files.writeString(RequestRecord.file(folder, 2), ISSUED.line() + "\n" + REFUSED.line() + "\n");

    assertThat(RequestRecord.read(folder, 2)).containsExactly(ISSUED, REFUSED);
    assertThat(RequestRecord.read(folder, 3)).isEmpty();
  }

  /** A process that was killed wrote half of one. */
  @Test
  void line_thatIsNotWhole_isLeftOut() throws IOException {
    for (int length : new int[] {0, 20, REFUSED.line().length()}) {
      String part = REFUSED.line().substring(0, length);
      Files.writeString(RequestRecord.file(folder, 2), ISSUED.line() + "\n" + part);

      assertThat(RequestRecord.read(folder, 2)).containsExactly(ISSUED);
    }
  }

  /** Coordinated omission would be to count from when it was sent. */
  @Test
  void latency_countsFromWhenItWasDue() {
    Exchange exchange = ISSUED.exchange("p");

    assertThat(exchange.latencyMillis()).isEqualTo(8);
    assertThat(exchange.lateMillis()).isEqualTo(2);
    assertThat(ISSUED.latencyMillis()).isEqualTo(8);
    assertThat(ISSUED.startedLateMillis()).isZero();
  }

  @Test
  void exchange_hasWhatTheJudgesAskFor() {
    Exchange issued = ISSUED.exchange("p");
    Exchange refused = REFUSED.exchange("p");

    assertThat(issued.serial()).contains("01ab");
    assertThat(issued.retryAfterSeconds()).isEmpty();
    assertThat(issued.request()).isEqualTo(new Exchange.Request("gat1-2-7", "p", "a", 1));
    // The serial number that was asked about is no certificate that came.
    assertThat(refused.serial()).isEmpty();
    assertThat(refused.retryAfterSeconds()).isEqualTo(OptionalInt.of(12));
  }
}
