package org.sluiceca.load.scenario.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.load.scenario.wire.RecordFile.REQUESTS;
import static org.sluiceca.load.scenario.wire.RecordFile.line;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.Offer.Kind;

class RecordFileTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private static final Exchange ISSUED =
      new Exchange(
          new Exchange.Request(Kind.ENROLL, "gat1-2-7", "p", "a", 1),
          0,
          1_000_000,
          900_000,
          3_000_000,
          9_000_000,
          201,
          Optional.of("01ab"),
          OptionalInt.empty(),
          false,
          "");

  private static final Exchange REFUSED =
      new Exchange(
          new Exchange.Request(Kind.OCSP, "", "p", "a", 0),
          1,
          5,
          5,
          5,
          7,
          503,
          Optional.of("01ab"),
          OptionalInt.of(12),
          false,
          "saturated");

  @Test
  void lines_areReadAsTheyWereWritten() throws IOException {
    Files.writeString(REQUESTS.of(folder, 2), line(ISSUED) + line(REFUSED));

    assertThat(REQUESTS.read(folder, 2)).containsExactly(ISSUED, REFUSED);
    assertThat(REQUESTS.read(folder, 3)).isEmpty();
  }

  /** A process that was killed wrote half of one. */
  @Test
  void line_thatIsNotWhole_isLeftOut() throws IOException {
    for (int length : new int[] {0, 20, line(REFUSED).length() - 1}) {
      String part = line(REFUSED).substring(0, length);
      Files.writeString(REQUESTS.of(folder, 2), line(ISSUED) + part);

      assertThat(REQUESTS.read(folder, 2)).containsExactly(ISSUED);
    }
  }

  /** Coordinated omission would be to count from when it was sent. */
  @Test
  void latency_countsFromWhenItWasDue() {
    assertThat(ISSUED.latencyMillis()).isEqualTo(8);
    assertThat(ISSUED.lateMillis()).isEqualTo(2);
    assertThat(ISSUED.startedLateMillis()).isZero();
  }

  /** The serial number that was asked about is no certificate that came. */
  @Test
  void answer_isTakenForWhatItIs() {
    assertThat(ISSUED.isServed()).isTrue();
    assertThat(REFUSED.isServed()).isFalse();
    assertThat(REFUSED.isIssued()).isFalse();
    assertThat(REFUSED.isRefusedWell()).isTrue();
  }
}
