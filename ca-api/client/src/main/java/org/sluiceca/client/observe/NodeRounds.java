package org.sluiceca.client.observe;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;

/**
 * Asks all nodes for their capacity at the same time, each by a thread of its own, so that a node
 * that does not answer delays none of the others. A node that still owes an answer is not asked
 * again. Its user is one thread.
 */
final class NodeRounds implements AutoCloseable {
  /** Far more than a capacity of 64 HSMs is long. */
  private static final int OCTETS_MAX = 1 << 20;

  private final List<Service> nodes;
  private final List<@Nullable Future<JsonNode>> asked = new ArrayList<>();
  private final ExecutorService threads;

  /**
   * What a node has answered.
   *
   * @param url of the node
   * @param capacity null if it did not answer, or not with this
   * @param fault why; empty if it did
   */
  record Answer(URI url, @Nullable Capacity capacity, String fault) {}

  NodeRounds(List<Service> nodes) {
    this.nodes = nodes;
    nodes.forEach(node -> asked.add(null));
    this.threads =
        Executors.newFixedThreadPool(
            nodes.size(), Thread.ofPlatform().daemon().name("node-", 0).factory());
  }

  /** The answers that came in time, in the order of the nodes. Blocks for {@code limit} at most. */
  List<Answer> ask(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    for (int i = 0; i < nodes.size(); i++) {
      Future<JsonNode> before = asked.get(i);
      if (before == null || before.isDone()) {
        Service node = nodes.get(i);
        asked.set(i, threads.submit(() -> capacity(node, limit)));
      }
    }
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      answers.add(answer(nodes.get(i).url(), asked.get(i), end, limit));
    }
    return answers;
  }

  private static JsonNode capacity(Service node, Duration limit) {
    Reply reply = node.ask(Call.get(Capacity.PATH), limit);
    if (reply.body().length > OCTETS_MAX) {
      throw Failure.of("the answer is too long");
    }
    JsonNode answer = reply.json();
    if (!answer.path("lanes").isArray() || !answer.path("hsms").isArray()) {
      throw Failure.of("the answer is not that of a Sluice node");
    }
    return answer;
  }

  private static Answer answer(
      URI url, @Nullable Future<JsonNode> asked, long end, Duration limit) {
    if (asked == null) {
      return new Answer(url, null, "not asked");
    }
    try {
      long left = Math.max(0, end - System.nanoTime());
      return new Answer(url, new Capacity(asked.get(left, TimeUnit.NANOSECONDS)), "");
    } catch (TimeoutException e) {
      return new Answer(url, null, "no answer in " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      return new Answer(url, null, fault(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of("interrupted");
    }
  }

  private static String fault(@Nullable Throwable e) {
    return e instanceof Failure failure
        ? Cells.text(String.valueOf(failure.getMessage()))
        : "a fault of this program: " + e;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    nodes.forEach(Service::close);
  }
}
