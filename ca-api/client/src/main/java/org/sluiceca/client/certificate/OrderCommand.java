package org.sluiceca.client.certificate;

import java.util.Locale;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice order ID}: what has become of a request that was accepted and not yet issued. */
@Command(
    name = "order",
    description =
        "Show what has become of an order, a request that was accepted and is issued later.",
    footer = {
      "",
      "Examples:",
      "  sluice order 010ba6e0199ce4c6d37ac710e21bc19b032db4",
      "  sluice order 010ba6e0199ce4c6d37ac710e21bc19b032db4 --await --wait 600",
      "  sluice order 010ba6e0199ce4c6d37ac710e21bc19b032db4 --cancel"
    })
public final class OrderCommand extends ServiceCommand {
  @Parameters(paramLabel = "ID", description = "of the order: its serial number in hexadecimal")
  private String id = "";

  @ArgGroup private Action action = new Action();

  @Option(
      names = "--json",
      description = "one JSON document: the order, or with --await the certificate")
  private boolean json;

  @Option(names = "--as-admin", description = "use the administrator's credential: see all of them")
  private boolean asAdmin;

  /** What to do besides showing it; one of them. */
  static final class Action {
    @Option(
        names = "--await",
        description = "wait until it is issued, and print the certificate with its chain")
    private boolean awaits;

    @Option(names = "--cancel", description = "cancel it, unless it is issued already")
    private boolean cancels;
  }

  /** Prints on {@code console}. */
  public OrderCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return asAdmin ? Purpose.ADMINISTER : Purpose.ENROLL;
  }

  @Override
  protected void check() {
    id = Serial.of(id);
  }

  @Override
  protected int run(Service service) {
    String path = "/v1/orders/" + id;
    if (action.awaits) {
      awaits(service, service.ask(Call.get(path)));
      return 0;
    }
    Reply reply = service.ask(action.cancels ? Call.delete(path) : Call.get(path));
    JsonNode order = reply.json();
    if (json) {
      console().raw(Json.line(order));
    } else {
      console().line(action.cancels ? "order " + id + " is cancelled" : words(order));
    }
    return 0;
  }

  private void awaits(Service service, Reply first) {
    Orders orders = new Orders(service, console());
    orders.awaitFrom(id, first);
    if (json) {
      console().raw(Json.line(service.ask(Call.get("/v1/certificates/" + id)).json()));
    } else {
      console().raw(orders.fetch(id));
    }
  }

  private String words(JsonNode order) {
    String status = order.path("status").asString("");
    return switch (status) {
      case "pending" -> "order " + id + " is pending" + place(order);
      case "issued" -> "order " + id + " is issued: sluice get " + id;
      case "failed" -> "order " + id + " failed: " + order.path("detail").asString("no reason");
      default -> throw Failure.of("the answer is no order");
    };
  }

  /** Known to the node that has the order in work, alone. */
  private static String place(JsonNode order) {
    StringBuilder place = new StringBuilder();
    if (order.path("position").isNumber()) {
      place.append(", ").append(order.path("position").asLong(0)).append(" before it");
    }
    if (order.path("etaSeconds").isNumber()) {
      place.append(
          String.format(
              Locale.ROOT, ", issued in about %.0f s", order.path("etaSeconds").asDouble(0)));
    }
    return place.toString();
  }
}
