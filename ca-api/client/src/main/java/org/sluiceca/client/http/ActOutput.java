package org.sluiceca.client.http;

import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * What a command prints that has changed something: a message and, with {@code --json}, one
 * document. Not thread-safe.
 */
public final class ActOutput {
  @Option(
      names = "--json",
      description = "one JSON document: what was done, or the approval that it waits for")
  private boolean json;

  /**
   * Says that an act was done, or that it waits for a second person, and prints the service's
   * document about it. Both end with exit code 0, which it returns.
   */
  public int report(Reply reply, Console console, String done) {
    return report(reply, console, done, null);
  }

  /** The same for an act whose success the service answers without a document. */
  public int report(Reply reply, Console console, String done, @Nullable JsonNode document) {
    boolean waits = Approvals.waits(reply, console);
    if (!waits) {
      console.say("%s", done);
    }
    if (json) {
      print(waits || document == null ? reply.json() : document, console);
    }
    return 0;
  }

  /** Prints this document if one is wanted. */
  public void print(JsonNode document, Console console) {
    if (json) {
      console.raw(Json.line(document));
    }
  }

  /** Whether a document is wanted. */
  public boolean isJson() {
    return json;
  }
}
