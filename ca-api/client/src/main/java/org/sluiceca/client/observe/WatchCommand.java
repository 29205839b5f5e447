package org.sluiceca.client.observe;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Durations;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice watch}: all nodes of the connection, again and again. */
@Command(
    name = "watch",
    description = {
      "Show all nodes of the connection, again and again.",
      "Lanes are shown as depth/capacity, HSMs with signatures in flight and",
      "what they can make in a second. Ctrl-C ends it, with exit code 0."
    },
    footer = {
      "",
      "Examples:",
      "  sluice watch --every 5s",
      "  sluice watch --json --count 1 --url https://ca1.example.com:8443"
    })
public final class WatchCommand extends NodeCommand {
  private static final Duration EVERY_MAX = Duration.ofHours(1);
  private static final int COUNT_MAX = 1_000_000_000;
  private static final int TIMEOUT_MAX = 60;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "how often, 1s to 1h (${DEFAULT-VALUE})")
  private String every = "";

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "how long a node may take to answer: 1 to 60 (${DEFAULT-VALUE})")
  private int timeout;

  @Option(names = "--count", paramLabel = "N", description = "end after N rounds")
  private @Nullable Integer count;

  @Option(names = "--json", description = "JSON lines, one a round")
  private boolean json;

  /** Prints on {@code console}. */
  public WatchCommand(Console console) {
    super(console);
  }

  @Override
  protected void check() {
    if (Durations.parse(every, "--every").compareTo(EVERY_MAX) > 0) {
      throw Failure.usage("--every is a time from 1s to 1h, not '" + every + "'");
    }
    if (timeout < 1 || timeout > TIMEOUT_MAX) {
      throw Failure.usage("--timeout is a number from 1 to " + TIMEOUT_MAX + ", not " + timeout);
    }
    if (count != null && (count < 1 || count > COUNT_MAX)) {
      throw Failure.usage("--count is a number from 1 to " + COUNT_MAX + ", not " + count);
    }
  }

  @Override
  protected int run(Service service) {
    Duration pause = Durations.parse(every, "--every");
    Duration limit = Duration.ofSeconds(timeout);
    Screen screen = new Screen(console(), Screen.isTerminal());
    int rounds = Objects.requireNonNullElse(count, Integer.MAX_VALUE);
    try (Ending ending = new Ending();
        NodeRounds nodes = new NodeRounds(service.nodes())) {
      for (int round = 1; ; round++) {
        long next = System.nanoTime() + pause.toNanos();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        List<NodeRounds.Answer> answers = nodes.ask(limit);
        if (json) {
          console().raw(Json.line(document(now, answers)));
        } else {
          screen.show(lines(now, answers));
        }
        // Without --count it never ends by itself: 68 years of rounds.
        if (round == rounds) {
          return 0;
        }
        ending.await(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
      }
    }
  }

  static List<String> lines(Instant now, List<NodeRounds.Answer> answers) {
    long well = answers.stream().filter(a -> a.capacity() != null).count();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s  %d of %d nodes answer; %s",
            now,
            well,
            answers.size(),
            answers.stream()
                .map(NodeRounds.Answer::capacity)
                .filter(Objects::nonNull)
                .findFirst()
                .map(Capacity::backlog)
                .orElse("backlog unknown")));
    Table table =
        new Table(
            "NODE",
            "STATUS",
            "RENEWAL",
            "INTERACTIVE",
            "BULK",
            "ETA",
            "HSMS",
            "IN FLIGHT",
            "CAPACITY/S",
            "SAYS");
    answers.forEach(answer -> table.row(row(answer)));
    lines.addAll(table.lines());
    return lines;
  }

  private static String[] row(NodeRounds.Answer answer) {
    Capacity capacity = answer.capacity();
    String url = answer.url().toString();
    if (capacity == null) {
      String none = Cells.NONE;
      return new String[] {url, none, none, none, none, none, none, none, none, answer.fault()};
    }
    return new String[] {
      url,
      capacity.lane("status"),
      capacity.lane("renewal"),
      capacity.lane("interactive"),
      capacity.lane("bulk"),
      capacity.eta(),
      capacity.readyHsms(),
      capacity.inFlight(),
      capacity.perSecond(),
      "ok"
    };
  }

  private static ObjectNode document(Instant now, List<NodeRounds.Answer> answers) {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("at", now.toString());
    ArrayNode nodes = document.putArray("nodes");
    for (NodeRounds.Answer answer : answers) {
      ObjectNode node = nodes.addObject().put("url", answer.url().toString());
      Capacity capacity = answer.capacity();
      if (capacity == null) {
        node.put("fault", answer.fault());
      } else {
        node.set("capacity", capacity.answer());
      }
    }
    return document;
  }
}
