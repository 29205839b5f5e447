package org.sluiceca.client.credential;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.TokenFile;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replaces the token of this connection in its own file. The service ends the old token when the
 * new one is first used, so the file holds a valid token at each instant: the old one until it is
 * replaced, the new one from then on. A run that is killed, and an answer that is lost, cost
 * another run and nothing else. One process at a time. Blocks.
 */
final class OwnRotation {
  private static final String PATH = CredentialPages.PATH + "/self/rotation";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{1,1024}=*");
  private static final int UNAUTHENTICATED = 401;

  private final Service service;
  private final Console console;

  OwnRotation(Service service, Console console) {
    this.service = service;
    this.console = console;
  }

  /** Replaces it. Fails, saying which token counts. Returns the service's answer but the token. */
  ObjectNode run() {
    if (!(service.connection().credential() instanceof Credential.Token old)) {
      throw Failure.of(
          "a client certificate is not replaced by this: sluice credential add --certificate"
              + " registers the next one; --token-file names a token");
    }
    Path file = old.file().orElseThrow(() -> Failure.of("the token is in no file"));
    try (FileChannel channel =
            FileChannel.open(lockOf(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null || !holds(file, old.value())) {
        throw busy(file);
      }
      // Nothing is asked for that could not be kept.
      write(file, old.value());
      return replace(file, old);
    } catch (OverlappingFileLockException e) {
      throw busy(file);
    } catch (IOException e) {
      throw Failure.of(
          "cannot open " + file + " to replace its token: " + e.getClass().getSimpleName());
    }
  }

  /**
   * A file of its own, which stays: the token's file is replaced by another one, and POSIX drops
   * the locks of a file when its process closes any descriptor of it.
   */
  private static Path lockOf(Path file) throws IOException {
    Path real = file.toRealPath();
    return real.resolveSibling("." + real.getFileName() + ".lock");
  }

  private static boolean holds(Path file, String token) {
    return TokenFile.read(file).value().equals(token);
  }

  private static Failure busy(Path file) {
    return Failure.of("another process replaces the token in " + file + " now");
  }

  private ObjectNode replace(Path file, Credential.Token old) {
    // Sent again if the answer is lost: the service ends the token that was in it.
    Reply reply = service.reply(Call.send("POST", PATH, JsonNodeFactory.instance.objectNode()));
    if (reply.status() / 100 != 2) {
      throw Failure.of(service.refusal(reply) + "; the token in " + file + " is as it was");
    }
    JsonNode made = reply.json();
    String fresh = made.path("token").asString("");
    if (!TOKEN.matcher(fresh).matches() || fresh.equals(old.value())) {
      throw Failure.of("the answer holds no new token; the one in " + file + " is as it was");
    }
    try {
      write(file, fresh);
    } catch (Failure e) {
      throw Failure.of(e.getMessage() + "; the old token still counts");
    }
    use(file, fresh, old);
    console.say(
        "the token in %s is a new one, valid until %s; the old one has ended",
        file, made.path("expiresAt").asString("an unknown time"));
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    made.properties().forEach(member -> shown.set(member.getKey(), member.getValue()));
    shown.remove("token");
    return shown;
  }

  /** Any credential may read the capacity, and it changes nothing but the end of the old token. */
  private void use(Path file, String fresh, Credential.Token old) {
    service.renewPatience();
    try (Service asNew = service.as(new Credential.Token(fresh))) {
      Reply reply = asNew.reply(Call.get("/v1/capacity"));
      if (reply.status() / 100 == 2) {
        return;
      }
      if (reply.status() == UNAUTHENTICATED) {
        if (!holds(file, fresh)) {
          throw busy(file);
        }
        // A request of this run came late and made yet another one: the old token still counts.
        write(file, old.value());
        throw Failure.of(
            "the new token was not accepted ("
                + asNew.refusal(reply)
                + "): the old one is in "
                + file
                + " again; run this again");
      }
      throw Failure.of(
          "the new token is in "
              + file
              + ", but was not tried ("
              + asNew.refusal(reply)
              + "): the old one ends when the new one is first used");
    }
  }

  private static void write(Path file, String token) {
    PrivateFile.replace(file, (token + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
