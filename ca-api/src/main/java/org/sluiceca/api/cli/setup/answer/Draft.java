package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.setup.question.Question;

/**
 * The answers of a run that has not reached its end, in a file of mode 0600. It has no secrets, but
 * names of files that hold some. It says nothing of what was done: that is looked at.
 *
 * @param file where it is; it need not be there
 * @param user who runs setup: answers of another user count for nothing, since they name a module
 *     that is loaded
 */
record Draft(Path file, UserPrincipal user) {

  private static final long BYTES_MAX = 65_536;

  private static final Set<PosixFilePermission> BY_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  /**
   * Returns the draft of the user who runs this process.
   *
   * @throws IOException if the system does not say who that is
   */
  static Draft of(Path file) throws IOException {
    return new Draft(file, Files.getOwner(Path.of("/proc/self")));
  }

  /**
   * Reads it. Lines of a question that this version does not ask, or whose answer cannot be one,
   * count for nothing: they are asked again.
   *
   * @throws SetupException if another user has written it, or may have
   * @throws IOException if it cannot be read
   */
  Map<Question, String> read() throws IOException {
    Map<Question, String> answers = new EnumMap<>(Question.class);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return answers;
    }
    requireOwn();
    if (Files.size(file) > BYTES_MAX) {
      return answers;
    }
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        String answer = line.substring(equals + 1);
        Optional<Question> question = Question.ofFlag(line.substring(0, equals));
        question
            .filter(known -> known.fault(answer).isEmpty())
            .ifPresent(known -> answers.put(known, answer));
      }
    }
    return answers;
  }

  private void requireOwn() throws IOException {
    PosixFileAttributes is =
        Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!is.isRegularFile()) {
      throw refused("is no file of its own: look at it, and remove it");
    }
    if (!is.owner().equals(user)) {
      throw refused(
          String.format(
              Locale.ROOT,
              "has the answers of user %1$s, and setup runs as %2$s: run it as %1$s, or look at the"
                  + " file and remove it",
              is.owner().getName(),
              user.getName()));
    }
    if (!Collections.disjoint(is.permissions(), BY_OTHERS)) {
      throw refused(
          "can be written by other users ("
              + PosixFilePermissions.toString(is.permissions())
              + "): look at it, then chmod 600 or remove it");
    }
  }

  private SetupException refused(String why) {
    return new SetupException(SetupException.Kind.FAILED, file + " " + why);
  }

  /**
   * Replaces it at once.
   *
   * @throws IOException if it cannot be written
   */
  void write(Map<Question, String> answers) throws IOException {
    CeremonyFiles.writeSecret(
        file,
        answers.entrySet().stream()
            .map(entry -> entry.getKey().flag() + "=" + entry.getValue())
            .collect(Collectors.joining("\n")));
  }

  /**
   * Removes it.
   *
   * @throws IOException if it cannot be removed
   */
  void remove() throws IOException {
    boolean _ = Files.deleteIfExists(file);
  }
}
