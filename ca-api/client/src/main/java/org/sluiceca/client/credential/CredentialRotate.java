package org.sluiceca.client.credential;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.sluiceca.client.http.Approvals;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.operate.IdCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * {@code sluice credential rotate}: a new token in place of another one, which is revoked only
 * after the new one is on disk and was accepted.
 */
@Command(
    name = "rotate",
    description = {
      "Replace a token: register another one of the same requester, roles and profiles,",
      "write it to --out, try it, and only then revoke the old one."
    },
    footer = {
      "",
      "Example:",
      "  sluice credential rotate 3f1f6f5e-58b4-4c0a-9b52-0f2f1d5c7a10 --out new.token"
    })
final class CredentialRotate extends IdCommand {
  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "where the new token goes, mode 0600; must not exist; - is standard output")
  private Path out = Path.of("");

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "90",
      description = "of the new one's life: 1 to 825 (${DEFAULT-VALUE})")
  private int days;

  CredentialRotate(Console console) {
    super(console, "a credential");
  }

  @Override
  protected void check() {
    super.check();
    Registration.checkDays(days);
    TokenOutput.check(out);
  }

  @Override
  protected int run(Service service) {
    try (TokenOutput target = new TokenOutput(console(), out)) {
      Registration successor = successor(CredentialPages.find(service, id()));
      service.renewPatience();
      Optional<JsonNode> made = successor.send(service, console(), target);
      if (made.isEmpty()) {
        console()
            .note(
                "%s still counts; the new token is %s: when it is approved and works, sluice"
                    + " credential revoke %s",
                id(), target, id());
        return 0;
      }
      String fresh = made.get().path("id").asString("");
      if (fresh.equals(id())) {
        throw Failure.of("the service gave the new token the old one's id: nothing is revoked");
      }
      tryOut(service, target, fresh);
      if (revoke(service, target)) {
        console().say("%s replaces %s, which is revoked; its token is %s", fresh, id(), target);
      }
    }
    return 0;
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
        days,
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
