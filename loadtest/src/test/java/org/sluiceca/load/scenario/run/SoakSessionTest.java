package org.sluiceca.load.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Offer;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Watched;
import org.sluiceca.load.scenario.wire.RecordFile;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.ProcessTimes;
import tools.jackson.databind.json.JsonMapper;

class SoakSessionTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path work;

  private static Phase phase(String name) {
    return new Phase(
        name,
        0,
        10,
        List.of(new Offer("a", 0.5)),
        0,
        List.of(),
        List.of(),
        List.of(Goal.parse("latency-p99@a <= 100"), Goal.parse("goodput >= 0.9 of other")),
        false);
  }

  private static Watched watched(int index, long untilSeconds) {
    return new Watched(
        0,
        index,
        new PhaseRecord(
            phase("soak-000" + index),
            (untilSeconds - 10) * 1_000_000_000L,
            untilSeconds * 1_000_000_000L,
            Map.of("hsm", new HsmFigures(1, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
            new ProcessTimes(1, 2, 3, 4, 5),
            1.5,
            List.of(0, 1),
            0),
        0,
        6,
        99);
  }

  private static void looked(SoakSession session, long seconds) throws IOException {
    NodeLook look =
        new NodeLook(seconds * 1000, 0, 7, 300.5, 60, 90, 1, 1, 0.1, 3, 4, 0.75, 5, 6, 2);
    Files.writeString(
        session.folder().resolve("looks.jsonl"),
        new JsonMapper().writeValueAsString(look) + "\n{\"epochMi");
  }

  @Test
  void whatWasSeen_isReadAgain() throws IOException {
    SoakSession session = SoakSession.begin(work, "gat0a");
    session.write(watched(1, 20));
    session.write(watched(0, 10));
    looked(session, 25);
    session.end();

    assertThat(session.complete()).containsExactly(watched(0, 10), watched(1, 20));
    assertThat(session.looks()).hasSize(1);
    assertThat(session.run()).isEqualTo("gat0a");
    assertThat(SoakSession.all(work)).containsExactly(session);
    assertThat(SoakSession.begin(work, "gat0b").number()).isEqualTo(1);
  }

  /** The last segments before a power cut have requests with an unknown end. */
  @Test
  void sittingThatWasInterrupted_hasOnlyWhatWasOverAMinuteBefore() throws IOException {
    SoakSession session = SoakSession.begin(work, "gat0a");
    session.write(watched(0, 10));
    session.write(watched(1, 20));
    looked(session, 75);

    assertThat(session.complete()).containsExactly(watched(0, 10));
  }

  /** Killed while it wrote: what is there of that phase is no figure, and hinders nothing. */
  @Test
  void sittingThatWasKilledAtItsWork_isReadAgain() throws IOException {
    SoakSession session = SoakSession.begin(work, "gat0a");
    session.write(watched(0, 10));
    Files.writeString(session.folder().resolve("fresh"), "{\"sitting\":0,");
    Files.createDirectory(work.resolve("new-1"));
    looked(session, 75);

    assertThat(session.complete()).containsExactly(watched(0, 10));
    assertThat(SoakSession.all(work)).containsExactly(session);
    assertThat(SoakSession.begin(work, "gat0b").number()).isEqualTo(1);
  }

  /** A phase that is measured again made promises before it was interrupted. */
  @Test
  void phasesThatAreNotComplete_areThoseWithRequestsOrRows() throws IOException {
    SoakSession session = SoakSession.begin(work, "gat0a");
    session.write(watched(0, 10));
    session.write(watched(1, 20));
    looked(session, 75);
    Files.writeString(session.folder().resolve("shots-0000.jsonl"), "");
    Files.writeString(session.folder().resolve("shots-0001.jsonl"), "");
    Files.writeString(session.folder().resolve("rows-0001.jsonl"), "");
    Files.writeString(session.folder().resolve("rows-0002.jsonl"), "");

    assertThat(session.incomplete()).containsExactly(1, 2);
    session.end();
    assertThat(session.incomplete()).containsExactly(2);
  }

  @Test
  void rows_areReadAsTheyWereWritten() throws IOException {
    LedgerRow issued =
        new LedgerRow(
            "01ab",
            "a",
            "gat0a-12-345",
            "issuing",
            Optional.of(
                new LedgerRow.Outcome("issued", "node-1", Instant.parse("2026-11-22T10:00:00Z"))));
    LedgerRow open = new LedgerRow("01ac", "a", "gat0a-12-346", "issuing", Optional.empty());

    Files.writeString(
        RecordFile.ROWS.of(work, 12), RecordFile.line(issued) + RecordFile.line(open));

    assertThat(new SoakSession(0, work).rows(12)).containsExactly(issued, open);
    assertThat(SoakSession.phase("gat0a-12-345")).isEqualTo(12);
  }
}
