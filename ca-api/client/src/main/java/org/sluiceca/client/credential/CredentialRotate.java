package org.sluiceca.client.credential;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Approvals;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.operate.IdCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code sluice credential rotate}: a new token in place of the connection's own, or, by an
 * administrator, of another one, which is revoked only after the new one is on disk and was
 * accepted.
 */
@Command(
    name = "rotate",
    description = {
      "Replace the token of this connection in its own file, without an administrator: the new",
      "one has the same roles, profiles and end, and the old one ends when it is first used.",
      "With ID, as an administrator: register another token of the same requester, roles and",
      "profiles, write it to --out, try it, and only then revoke the old one."
    },
    footer = {
      "",
      "Examples:",
      "  sluice credential rotate --token-file web.token",
      "  sluice credential rotate 3f1f6f5e-58b4-4c0a-9b52-0f2f1d5c7a10 --out new.token"
    })
final class CredentialRotate extends ServiceCommand {
  private static final int DAYS_DEFAULT = 90;

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "as `list` prints it; without it, the token that this connection uses")
  private @Nullable String id;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "where the new token of ID goes, mode 0600; must not exist; - is standard output")
  private @Nullable Path out;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "of the life of the new token of ID: 1 to 825 (90)")
  private @Nullable Integer days;

  @Mixin private ActOutput output = new ActOutput();

  CredentialRotate(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return id == null ? Purpose.ENROLL : Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    if (id == null) {
      if (out != null || days != null) {
        throw Failure.usage(
            "--out and --days belong to ID: without ID the token's own file gets the new token,"
                + " which ends when the old one would have");
      }
      return;
    }
    id = IdCommand.uuid(id, "a credential");
    if (out == null) {
      throw Failure.usage("credential rotate ID needs --out FILE for the new token");
    }
    if (days != null) {
      Registration.checkDays(days);
    }
    TokenOutput.check(out, output);
  }

  private String id() {
    return Objects.requireNonNull(id);
  }

  @Override
  protected int run(Service service) {
    if (id == null || out == null) {
      ObjectNode made = new OwnRotation(service, console()).run();
      output.print(document(made.path("rotatedFrom").asString(""), true, made), console());
      return 0;
    }
    try (TokenOutput target = new TokenOutput(console(), out)) {
      rotate(service, target);
    }
    return 0;
  }

  private void rotate(Service service, TokenOutput target) {
    Registration successor = successor(CredentialPages.find(service, id()));
    service.renewPatience();
    Registration.Answer made = successor.send(service, console(), target);
    if (made.waits()) {
      console()
          .note(
              "%s still counts; the new token is %s: when it is approved and works, sluice"
                  + " credential revoke %s",
              id(), target, id());
      ObjectNode document = JsonNodeFactory.instance.objectNode();
      document.put("replaced", id()).put("revoked", false).set("approval", made.document());
      output.print(document, console());
      return;
    }
    String fresh = made.id();
    if (fresh.equals(id())) {
      throw Failure.of("the service gave the new token the old one's id: nothing is revoked");
    }
    tryOut(service, target, fresh);
    boolean revoked = revoke(service, target);
    if (revoked) {
      console().say("%s replaces %s, which is revoked; its token is %s", fresh, id(), target);
    }
    output.print(document(id(), revoked, made.document()), console());
  }

  private static ObjectNode document(String replaced, boolean revoked, JsonNode credential) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("replaced", replaced).put("revoked", revoked).set("credential", credential);
    return document;
  }

  private Registration successor(JsonNode old) {
    if (!old.path("kind").asString("").equals("TOKEN")) {
      throw Failure.of(
          id()
              + " is not a token: register the new client certificate by sluice credential add"
              + " --certificate FILE, then revoke this one");
    }
    if (!old.path("revokedAt").asString("").isEmpty()) {
      throw Failure.of(id() + " is revoked already: sluice credential add registers another one");
    }
    return new Registration(
        old.path("requester").asString(""),
        words(old.path("roles")),
        words(old.path("profiles")),
        days == null ? DAYS_DEFAULT : days,
        null);
  }

  private static List<String> words(JsonNode list) {
    return list.values().stream().map(one -> one.asString("")).toList();
  }

  /** Any credential may read the capacity, and it changes nothing. */
  private void tryOut(Service service, TokenOutput target, String fresh) {
    try (Service asNew = service.as(target.written())) {
      asNew.ask(Call.get("/v1/capacity"));
    } catch (Failure e) {
      throw Failure.of(
          "the new token, "
              + target
              + ", was not accepted ("
              + e.getMessage()
              + "), so the old one still counts: if it works later, sluice credential revoke "
              + id()
              + "; otherwise sluice credential revoke "
              + fresh);
    }
  }

  /** False if a second person must approve it. */
  private boolean revoke(Service service, TokenOutput target) {
    service.renewPatience();
    Reply reply = service.reply(CredentialCommand.revocation(id()));
    // Gone: this revocation had a lost answer, or another one was first.
    if (reply.status() / 100 != 2 && !CredentialCommand.isGone(reply)) {
      throw Failure.of(
          "the new token, "
              + target
              + ", works, but the old one still counts ("
              + service.refusal(reply)
              + "): sluice credential revoke "
              + id());
    }
    return !Approvals.waits(reply, console());
  }
}
