package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.setup.question.Question;

/**
 * The answers of a run that has not reached its end, in a file of mode 0600. It has no secrets, but
 * names of files that hold some. It says nothing of what was done: that is looked at.
 *
 * @param file where it is; it need not be there
 */
record Draft(Path file) {

  private static final long BYTES_MAX = 65_536;

  /**
   * Reads it. Lines of a question that this version does not ask, or whose answer cannot be one,
   * count for nothing: they are asked again.
   *
   * @throws IOException if it cannot be read
   */
  Map<Question, String> read() throws IOException {
    Map<Question, String> answers = new EnumMap<>(Question.class);
    if (!Files.exists(file) || Files.size(file) > BYTES_MAX) {
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
