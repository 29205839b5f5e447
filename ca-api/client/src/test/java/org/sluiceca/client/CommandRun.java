package org.sluiceca.client;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.client.http.LoopbackService;

/** Runs commands against services on the loopback address and keeps what they print. */
public final class CommandRun {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<LoopbackService> nodes;
  private final Path token;

  /** Asks these nodes, which share a certificate or are one, by the token {@code admin}. */
  public CommandRun(Path folder, LoopbackService... nodes) throws Exception {
    this.nodes = List.of(nodes);
    this.token = Files.writeString(folder.resolve("admin.token"), "admin\n");
  }

  /** Runs a command; returns its exit code. */
  public int call(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of(
            "--url",
            nodes.stream().map(node -> node.url().toString()).collect(Collectors.joining(",")),
            "--ca-file",
            nodes.getFirst().root().toString(),
            "--token-file",
            token.toString()));
    return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  /** Standard output of all commands so far. */
  public String out() {
    return out.toString();
  }

  /** Standard error of all commands so far. */
  public String err() {
    return err.toString();
  }

  /** All that was printed: no secret may be in it, and nothing that a terminal obeys. */
  public String printed() {
    return Stream.of(out, err).map(StringWriter::toString).collect(Collectors.joining());
  }
}
