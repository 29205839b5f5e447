package org.sluiceca.client.acme;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice eab add}: a binding, and lines to paste for clients of ACME. */
@Command(
    name = "add",
    description = {
      "Make an external account binding: accounts that are made by it get certificates",
      "for its names without a challenge. Prints lines to paste for certbot, lego and",
      "cert-manager, with its HMAC key, which is shown once; with --out they read the",
      "key from FILE by jq. The root in them is the one that this command trusts."
    },
    footer = {
      "",
      "Examples:",
      "  sluice eab add --endpoint internal --requester team-a \\",
      "    --names '*.corp.example' --out team-a.json",
      "  sluice eab add --endpoint internal --requester team-a \\",
      "    --names corp.example --single --for certbot"
    })
final class EabAdd extends ServiceCommand {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
  private static final Pattern REQUESTER = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
  private static final int DAYS_MAX = 825;
  private static final int NAMES_MAX = 100;
  private static final int CREATED = 201;

  @Option(
      names = "--endpoint",
      required = true,
      paramLabel = "E",
      description = "the endpoint of ACME that it is for")
  private String endpoint = "";

  @Option(
      names = "--requester",
      required = true,
      paramLabel = "R",
      description = "whose share, quota and profiles its accounts use")
  private String requester = "";

  @Option(
      names = "--names",
      required = true,
      split = ",",
      paramLabel = "N",
      description = "corp.example for one name, '*.corp.example' for all below; as often as needed")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--profile",
      split = ",",
      paramLabel = "P",
      description = "a profile of the endpoint; as often as needed (all of them)")
  private List<String> profiles = new ArrayList<>();

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "90",
      description = "in which accounts can be made: 1 to 825 (${DEFAULT-VALUE})")
  private int days;

  @Option(names = "--single", description = "for one account alone")
  private boolean single;

  @Option(
      names = "--for",
      converter = AcmeProgram.Named.class,
      paramLabel = "CLIENT",
      description = "print lines for this one alone, of ${COMPLETION-CANDIDATES}")
  private @Nullable AcmeProgram program;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "write directory, kid and hmacKey as JSON, mode 0600; must not exist")
  private @Nullable Path out;

  @Option(
      names = "--json",
      description = "one JSON document instead of lines; with --out it does not have the key")
  private boolean json;

  EabAdd(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    if (!NAME.matcher(endpoint).matches()) {
      throw Failure.usage("--endpoint: '" + endpoint + "' is not an endpoint's name");
    }
    if (!REQUESTER.matcher(requester).matches()) {
      throw Failure.usage(
          "--requester is 1 to 64 of a-z 0-9 . _ -, first a letter or digit, not '"
              + requester
              + "'");
    }
    if (names.size() > NAMES_MAX) {
      throw Failure.usage("--names are " + NAMES_MAX + " at most");
    }
    names.forEach(NamePattern::check);
    for (String profile : profiles) {
      if (!NAME.matcher(profile).matches()) {
        throw Failure.usage("--profile: '" + profile + "' is not a profile's name");
      }
    }
    if (days < 1 || days > DAYS_MAX) {
      throw Failure.usage("--days is a number from 1 to " + DAYS_MAX + ", not " + days);
    }
    if (json && program != null) {
      throw Failure.usage("--for chooses lines, and --json prints none: which one?");
    }
    if (out != null) {
      KeyFile.check(out);
    }
  }

  @Override
  protected int run(Service service) {
    if (out == null) {
      make(service, null);
      return 0;
    }
    try (KeyFile file = new KeyFile(console(), out)) {
      make(service, file);
    }
    return 0;
  }

  /** Sends the request once: a second one would make a second binding. */
  private void make(Service service, @Nullable KeyFile file) {
    Reply reply = service.replyOnce(Call.send("POST", Binding.PATH, body()));
    if (reply.status() / 100 != 2) {
      throw Failure.of(
          service.refusal(reply)
              + (Service.isUnclear(reply)
                  ? "; it may have been made: sluice eab list shows it, revoke it"
                  : ""));
    }
    try {
      JsonNode answer = reply.json();
      Binding binding = Binding.of(answer, endpoint);
      if (reply.status() != CREATED) {
        throw Failure.of("the answer is " + reply.status() + ", not 201");
      }
      if (file != null) {
        file.write(binding);
      }
      print(binding, answer, service.connection().caFile().orElse(null));
    } catch (Failure e) {
      String why = String.valueOf(e.getMessage());
      throw Failure.of(file != null && file.isWritten() ? why : why + undo(reply));
    }
  }

  private void print(Binding binding, JsonNode answer, @Nullable Path root) {
    console()
        .say(
            "made binding %s of %s at %s until %s",
            binding.kid(),
            requester,
            endpoint,
            answer.path("expiresAt").asString("an unknown time"));
    if (json) {
      if (out != null && answer instanceof ObjectNode members) {
        members.remove("hmacKey");
      }
      console().raw(Json.line(answer));
    } else {
      printLines(new Setup(binding, Binding.example(names), root, out));
    }
    if (out == null) {
      console().note("the HMAC key is shown once, here: keep it now, it cannot be printed again");
    } else {
      console().note("the HMAC key is in %s alone, and cannot be had again", out);
    }
  }

  /** For all clients with a heading each; for one, nothing but its lines. */
  private void printLines(Setup setup) {
    List<AcmeProgram> all = program == null ? List.of(AcmeProgram.values()) : List.of(program);
    for (AcmeProgram one : all) {
      if (one != all.getFirst()) {
        console().line("");
      }
      if (all.size() > 1) {
        console().line("# " + one);
      }
      one.lines(setup).forEach(console()::line);
    }
  }

  private ObjectNode body() {
    ObjectNode body =
        JsonNodeFactory.instance.objectNode().put("endpoint", endpoint).put("requester", requester);
    names.forEach(body.putArray("names")::add);
    if (!profiles.isEmpty()) {
      profiles.stream().distinct().forEach(body.putArray("profiles")::add);
    }
    return body.put("days", days).put("single", single);
  }

  /** A binding whose key has reached no file and no reader must not stay. */
  private static String undo(Reply reply) {
    String kid =
        Arrays.stream(reply.headers().firstValue("Location").orElse("").split("/"))
            .reduce((first, last) -> last)
            .filter(Binding::isKid)
            .orElse("KID");
    return "; what was made does not help: " + Binding.revocation(kid);
  }
}
