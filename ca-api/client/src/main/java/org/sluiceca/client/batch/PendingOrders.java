package org.sluiceca.client.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests that the service has accepted as orders, oldest first. Not thread-safe; blocks. */
final class PendingOrders {
  /**
   * After this many pending ones it waits; what was asked for comes last, so that none hides all.
   */
  private static final int WAITING_IN_A_ROW = 16;

  private static final int OK = 200;

  /**
   * An accepted request.
   *
   * @param id of the order, which is the serial number
   */
  record Order(Round.Sent sent, String id) {}

  private final Deque<Order> orders = new ArrayDeque<>();
  private final Service service;
  private final Round.Records records;

  PendingOrders(Service service, Round.Records records) {
    this.service = service;
    this.records = records;
  }

  void add(Round.Sent sent, String order) {
    orders.add(new Order(sent, order));
  }

  boolean isEmpty() {
    return orders.isEmpty();
  }

  /** Hands over what is still pending. */
  void forEach(Consumer<Order> consumer) {
    orders.forEach(consumer);
  }

  /**
   * Asks for orders from the oldest on and fetches what is issued, then waits as the service asks.
   * Progress gives the command its whole time again; false if there was none for that time.
   */
  boolean fetch() {
    List<Order> waiting = new ArrayList<>();
    @Nullable Reply last = null;
    while (!orders.isEmpty() && waiting.size() < WAITING_IN_A_ROW) {
      Order order = orders.removeFirst();
      Reply reply = service.reply(Call.get("/v1/orders/" + order.id()));
      if (reply.status() != OK && !Service.isFinal(reply)) {
        orders.addFirst(order);
        orders.addAll(waiting);
        return false;
      }
      if (isDecided(order, reply)) {
        service.renewPatience();
      } else {
        waiting.add(order);
        last = reply;
      }
    }
    orders.addAll(waiting);
    return last == null || service.waits(last);
  }

  private boolean isDecided(Order order, Reply reply) {
    JsonNode state = reply.json();
    if (reply.status() != OK) {
      records.failed(order.sent(), state);
      return true;
    }
    return switch (state.path("status").asString("")) {
      case "pending" -> false;
      case "issued" -> isFetched(order);
      default -> {
        records.failed(
            order.sent(),
            JsonNodeFactory.instance
                .objectNode()
                .put("title", "The order failed")
                .put("detail", state.path("detail").asString("")));
        yield true;
      }
    };
  }

  private boolean isFetched(Order order) {
    Reply reply = service.reply(Call.get("/v1/certificates/" + order.id()));
    if (reply.status() == OK) {
      records.issued(order.sent(), reply.json());
    } else if (Service.isFinal(reply)) {
      records.failed(order.sent(), reply.json());
    }
    return reply.status() == OK || Service.isFinal(reply);
  }
}
