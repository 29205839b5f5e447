package org.sluiceca.load.bench.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sluiceca.load.drive.OpenLoop;
import org.sluiceca.load.page.Text;

/**
 * {@code IdleBench KEYS PASSWORD ROOT HEAD BODIES}: one process for all loads of a benchmark. Warms
 * itself by a server of its own, whose key is in the PKCS #12 file KEYS; prints {@code ready} and
 * the median of its own latency in milliseconds; and then answers each line of its input, whose
 * words are parted by tabs, until the input ends:
 *
 * <ul>
 *   <li>{@code load PORT ROOT HEAD BODIES RATE SECONDS,SECONDS,… PID POSTMASTER}: a line {@code
 *       window} for each of these ends of windows, with what {@link Outcomes} and {@link Usage}
 *       have of it, and a line {@code fault} with the last reason if a request got no certificate;
 *       then {@code ok}
 * </ul>
 *
 * What fails is answered {@code failed} and the reason. The process holds nothing that a signal
 * must not interrupt, so SIGTERM ends it at once.
 */
public final class IdleBench {

  /** Each is in use every eighth second at 1/s, long before a server closes an idle one. */
  private static final int CONNECTIONS = 8;

  /** How long a CA answers at most. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Schedule WARM_UP = schedule(1_000, 12);
  private static final Schedule ALONE = schedule(20, 4);

  private IdleBench() {}

  public static void main(String[] arguments)
      throws IOException, GeneralSecurityException, InterruptedException {
    Locale.setDefault(Locale.ROOT);
    System.out.println("ready " + Text.number(warmUp(arguments), 3));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      for (String answer : answer(line.split("\t", -1))) {
        System.out.println(answer);
      }
    }
  }

  private static double warmUp(String... arguments)
      throws IOException, GeneralSecurityException, InterruptedException {
    try (OwnServer server = new OwnServer(Path.of(arguments[0]), arguments[1]);
        Target target =
            Target.at(
                server.port(),
                Path.of(arguments[2]),
                Path.of(arguments[3]),
                Path.of(arguments[4]))) {
      Outcomes _ = run(target, WARM_UP);
      return run(target, ALONE).of(0).p50Millis();
    }
  }

  private static Schedule schedule(int rate, int seconds) {
    return new Schedule(rate, List.of(Duration.ofSeconds(seconds).toNanos()));
  }

  private static Outcomes run(Target target, Schedule schedule)
      throws IOException, InterruptedException {
    List<Target.Kept> connections = connect(target, schedule);
    try (Load load = new Load(schedule, System.nanoTime(), PATIENCE)) {
      load.start(connections);
      return load.await();
    } finally {
      disconnect(connections);
    }
  }

  private static List<String> answer(String... words) throws InterruptedException {
    if (!words[0].equals("load") || words.length != 9) {
      return List.of("failed: no such command: " + words[0]);
    }
    try (Target target =
        Target.at(
            Integer.parseInt(words[1]), Path.of(words[2]), Path.of(words[3]), Path.of(words[4]))) {
      List<Long> ends = new ArrayList<>();
      for (String seconds : words[6].split(",", -1)) {
        ends.add(Math.round(Double.parseDouble(seconds) * 1e9));
      }
      Schedule schedule = new Schedule(Integer.parseInt(words[5]), ends);
      return measure(target, schedule, Long.parseLong(words[7]), Path.of(words[8]));
    } catch (IOException | IllegalArgumentException e) {
      return List.of("failed: " + e);
    }
  }

  /** Connecting is a part of the first window. */
  private static List<String> measure(Target target, Schedule schedule, long pid, Path postmaster)
      throws IOException, InterruptedException {
    List<Usage> usages = new ArrayList<>();
    usages.add(Usage.read(pid, postmaster));
    List<Target.Kept> connections = connect(target, schedule);
    long begin = System.nanoTime();
    try (Load load = new Load(schedule, begin, PATIENCE)) {
      load.start(connections);
      for (long end : schedule.endsNanos()) {
        OpenLoop.awaitTime(begin + end);
        usages.add(Usage.read(pid, postmaster));
      }
      if (!Files.exists(Path.of("/proc", Long.toString(pid)))) {
        throw new IOException("the CA has ended");
      }
      Outcomes outcomes = load.await();
      List<String> lines = new ArrayList<>();
      outcomes.fault().ifPresent(fault -> lines.add("fault\t" + fault));
      for (int i = 0; i < schedule.endsNanos().size(); i++) {
        lines.add(
            Text.format(
                "window\tfromSeconds=%s\tuntilSeconds=%s\t%s\t%s",
                Text.number(i == 0 ? 0 : schedule.endsNanos().get(i - 1) / 1e9, 3),
                Text.number(schedule.endsNanos().get(i) / 1e9, 3),
                outcomes.of(i).words(),
                usages.get(i + 1).since(usages.get(i))));
      }
      lines.add("ok");
      return lines;
    } finally {
      disconnect(connections);
    }
  }

  private static List<Target.Kept> connect(Target target, Schedule schedule) throws IOException {
    List<Target.Kept> connections = new ArrayList<>();
    // An idle CA has no clients.
    while (schedule.rate() > 0 && connections.size() < CONNECTIONS) {
      connections.add(target.connect());
    }
    return connections;
  }

  private static void disconnect(List<Target.Kept> connections) throws IOException {
    for (Target.Kept connection : connections) {
      connection.close();
    }
  }
}
