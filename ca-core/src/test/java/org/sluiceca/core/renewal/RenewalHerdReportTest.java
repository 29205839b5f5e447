package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.renewal.Herd.Habit;
import org.sluiceca.core.renewal.Herd.Kind;

/**
 * The hours of a renewal day after one burst, as a table in {@code target/renewal-herd.md}: a
 * simulation of the clients with the service's own windows, not a load test.
 */
class RenewalHerdReportTest {

  private static final int CERTIFICATES = 100_000;
  private static final long SEED = 70;
  private static final double LEVEL = 1.2;

  /** Spread over a day. */
  private static final Duration LIFE = Duration.ofDays(3);

  @Test
  void burst_renewedByWindows_hoursInATable() throws IOException {
    Herd herd =
        new Herd(SEED, CERTIFICATES, LIFE, List.of(new Habit(Kind.SCHEDULES, Duration.ofHours(6))));
    RenewalWindows windows = new RenewalWindows(RenewalLoad.UNKNOWN);
    List<Instant> renewals =
        herd.renewals(Herd.ISSUED, client -> windows.window(client.validity(), client.serial()));
    Arrivals byHour = new Arrivals(Herd.ISSUED, Duration.ofHours(1), renewals);

    StringJoiner table = new StringJoiner("\n", "", "\n");
    table.add(
        String.format(
            Locale.ROOT,
            "%d certificates of one hour, lives of %d days, clients that schedule themselves; seed"
                + " %d; %s, %d processors, Java %s. Busiest hour over the mean of 24: %.2f.",
            CERTIFICATES,
            LIFE.toDays(),
            SEED,
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            Runtime.version(),
            byHour.busiestHour()));
    table.add("").add("| Hour after issuance | renewals |").add("|---|---|");
    renewals.stream()
        .collect(
            Collectors.groupingBy(
                time -> Duration.between(Herd.ISSUED, time).toHours(),
                TreeMap::new,
                Collectors.counting()))
        .forEach((hour, count) -> table.add("| " + hour + " | " + count + " |"));
    Path report = Path.of("target", "renewal-herd.md");
    Files.writeString(report, table.toString());

    assertThat(byHour.busiestHour()).isLessThanOrEqualTo(LEVEL);
    assertThat(Files.readString(report)).contains("| " + LIFE.toHours() * 2 / 3 + " | ");
  }
}
