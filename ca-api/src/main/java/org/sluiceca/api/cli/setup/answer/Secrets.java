package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.sluiceca.api.cli.setup.answer.SetupException.Kind;
import org.sluiceca.api.cli.setup.question.Question;

/** The files of secrets, which are named, or made of what is typed and not shown. */
final class Secrets {

  /** PKCS#11's PINs and passwords are far shorter. */
  private static final long BYTES_MAX = 1024;

  /** UTF-8 has four octets for a character at most. */
  private static final long TYPED_MAX = BYTES_MAX / 4;

  private final Dialogue dialogue;
  private final PrivateFiles typed;

  Secrets(Dialogue dialogue, PrivateFiles typed) {
    this.dialogue = dialogue;
    this.typed = typed;
  }

  /** Returns whether an answer is the file of what was typed. */
  boolean isTyped(String answer) {
    return typed.holds(Path.of(answer));
  }

  /**
   * Requires that an answer is a file with a secret.
   *
   * @throws SetupException if it is none
   */
  void require(Question question, String answer) {
    question
        .fault(answer)
        .ifPresent(
            fault -> {
              throw new SetupException(Kind.USAGE, fault);
            });
    Path file = Path.of(answer);
    fault(file)
        .ifPresent(
            fault -> {
              throw new SetupException(Kind.USAGE, question.option() + ": " + file + " " + fault);
            });
  }

  private static Optional<String> fault(Path file) {
    try {
      if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
        return Optional.of("cannot be read: check that it is there, and run setup as root");
      }
      if (Files.size(file) > BYTES_MAX) {
        return Optional.of("is larger than " + BYTES_MAX + " bytes: it holds a secret in one line");
      }
      return Files.readString(file).lines().findFirst().orElse("").isBlank()
          ? Optional.of("is empty, or its first line is")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot be read: " + e.getMessage());
    }
  }

  /**
   * Asks until there is a file with a secret.
   *
   * @throws SetupException if the operator ends the input, or memory takes no file
   */
  String ask(Question question) {
    while (true) {
      String answer =
          dialogue
              .ask(question.text() + ": its file, or nothing to type it")
              .orElseThrow(Answers::stopped)
              .strip();
      try {
        if (!answer.isEmpty()) {
          require(question, answer);
          return answer;
        }
        Optional<Path> file = type(question);
        if (file.isPresent()) {
          return file.get().toString();
        }
      } catch (SetupException e) {
        if (e.kind() != Kind.USAGE) {
          throw e;
        }
        dialogue.say(String.valueOf(e.getMessage()));
      }
    }
  }

  private Optional<Path> type(Question question) {
    char[] secret =
        dialogue.askSecret(question.text() + " (not shown)").orElseThrow(Answers::stopped);
    if (secret.length == 0 || secret.length > TYPED_MAX) {
      dialogue.say("1 to " + TYPED_MAX + " characters");
      return Optional.empty();
    }
    for (char character : secret) {
      if (Character.isISOControl(character)) {
        dialogue.say("it has a control character");
        return Optional.empty();
      }
    }
    try {
      return Optional.of(typed.keep(secret));
    } catch (IOException e) {
      throw new SetupException("what was typed cannot be kept in memory: " + e.getMessage(), e);
    }
  }
}
