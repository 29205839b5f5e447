package org.sluiceca.client.credential;

import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.http.Approvals;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request for a new credential, which is sent once: a second one would make a second credential.
 *
 * @param requester whom it is for
 * @param roles at least one
 * @param profiles that it may enroll
 * @param days of its life
 * @param certificate PEM of the key that it is for; null for a token
 */
record Registration(
    String requester,
    Collection<String> roles,
    Collection<String> profiles,
    int days,
    @Nullable String certificate) {
  static final int DAYS_MAX = 825;
  private static final int CREATED = 201;

  /** Fails if the service would refuse that many days. */
  static void checkDays(int days) {
    if (days < 1 || days > DAYS_MAX) {
      throw Failure.usage("--days is a number from 1 to " + DAYS_MAX + ", not " + days);
    }
  }

  /**
   * The service's answer, without the token.
   *
   * @param document what was registered, with its id, or the approval that it waits for
   */
  record Answer(JsonNode document, boolean waits) {

    static Answer of(JsonNode document, boolean waits) {
      if (document instanceof ObjectNode members) {
        members.remove("token");
      }
      return new Answer(document, waits);
    }

    String id() {
      return document.path("id").asString("");
    }
  }

  /**
   * Registers it and writes its token, whatever else the answer says. Blocks.
   *
   * @param target where the token goes; null for a certificate
   */
  Answer send(Service service, Console console, @Nullable TokenOutput target) {
    Reply reply = service.replyOnce(Call.send("POST", CredentialPages.PATH, body()));
    if (reply.status() / 100 != 2) {
      throw Failure.of(
          service.refusal(reply)
              + (Service.isUnclear(reply)
                  ? "; it may have been registered: sluice credential list shows it, revoke it"
                  : ""));
    }
    try {
      JsonNode answer = reply.json();
      if (target != null) {
        target.write(answer.path("token").asString(""));
      }
      if (Approvals.waits(reply, console)) {
        return Answer.of(answer, true);
      }
      if (reply.status() != CREATED || !isId(answer.path("id").asString(""))) {
        throw Failure.of("the answer does not name what was registered");
      }
      return Answer.of(answer, false);
    } catch (Failure e) {
      throw Failure.of(e.getMessage() + "; " + undo(reply));
    }
  }

  private ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("requester", requester);
    roles.forEach(body.putArray("roles")::add);
    profiles.forEach(body.putArray("profiles")::add);
    body.put("days", days);
    return certificate == null ? body : body.put("certificate", certificate);
  }

  /** What was registered without a token that anyone has must not stay. */
  private static String undo(Reply reply) {
    String id = reply.locationId().filter(Registration::isId).orElse("ID");
    return reply.status() == CREATED
        ? "what was registered does not help: sluice credential revoke " + id
        : "what was asked for does not help: sluice approval withdraw " + id;
  }

  private static boolean isId(String text) {
    try {
      return UUID.fromString(text).toString().equals(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
