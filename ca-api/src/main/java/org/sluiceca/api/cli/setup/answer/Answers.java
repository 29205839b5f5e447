package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.setup.answer.SetupException.Kind;

/**
 * The answers of this run. An answer comes from the command line, then from the draft of a run that
 * was stopped, then from the node's settings that are there, then from the dialogue, which offers
 * the usual one; without a dialogue the usual one counts, or the run ends with the option's name.
 * For one thread.
 */
public final class Answers {

  /** PKCS#11's PINs and passwords are far shorter. */
  private static final long SECRET_BYTES_MAX = 1024;

  private final Dialogue dialogue;
  private final PrivateFiles typed;
  private final Draft draft;
  private final Map<Question, String> given;
  private final Map<Question, String> drafted;
  private final NodeEnv before;
  private final Map<Question, String> accepted = new EnumMap<>(Question.class);

  /** What has to be asked although an answer is there: it was refused by a check. */
  private final Set<Question> again = EnumSet.noneOf(Question.class);

  /**
   * Reads the draft.
   *
   * @param given the command line's
   * @param draft the file in which answers are kept until the run reaches its end
   * @param before the node's settings that are there
   * @throws IOException if the draft cannot be read
   */
  public Answers(
      Dialogue dialogue,
      PrivateFiles typed,
      Map<Question, String> given,
      Path draft,
      NodeEnv before)
      throws IOException {
    this.dialogue = dialogue;
    this.typed = typed;
    this.draft = new Draft(draft);
    this.given = new EnumMap<>(Question.class);
    this.given.putAll(given);
    this.drafted = this.draft.read();
    this.before = before;
  }

  /** Returns whether a stopped run has left answers. */
  public boolean hasDraft() {
    return !drafted.isEmpty();
  }

  /** Returns whether the command line answers it. */
  public boolean isGiven(Question question) {
    return given.containsKey(question);
  }

  /** Returns whether there is an answer without asking. */
  public boolean isKnown(Question question) {
    return accepted.containsKey(question) || proposed(question) != null;
  }

  /** Returns what the node's settings that are there say; empty if they do not. */
  public Optional<String> configured(Question question) {
    return question.setting().flatMap(before::value).map(question::normal);
  }

  /**
   * Asks for yes or no.
   *
   * @throws SetupException if the operator ends the input
   */
  public boolean confirms(String text) {
    while (true) {
      String answer = dialogue.ask(text + " (yes, no)").orElseThrow(Answers::stopped).strip();
      switch (answer) {
        case "yes", "y" -> {
          return true;
        }
        case "no", "n" -> {
          return false;
        }
        default -> dialogue.say("yes or no");
      }
    }
  }

  /**
   * Returns the answer, which is asked for if need be.
   *
   * @throws SetupException if there is none, or the command line's cannot be one
   */
  public String require(Question question) {
    return require(question, question.usual().orElse(null));
  }

  /** The same, with another usual answer. */
  public String require(Question question, @Nullable String usual) {
    String known = accepted.get(question);
    if (known != null) {
      return known;
    }
    String proposed = proposed(question);
    if (proposed != null && !again.contains(question)) {
      Optional<String> fault = question.fault(proposed);
      if (fault.isEmpty()) {
        return accept(question, proposed);
      }
      if (!dialogue.isInteractive()) {
        throw new SetupException(Kind.USAGE, fault.get());
      }
      dialogue.say(fault.get());
    }
    if (dialogue.isInteractive()) {
      return ask(question, proposed == null ? usual : proposed);
    }
    if (usual == null) {
      throw missing(question);
    }
    return accept(question, usual);
  }

  /**
   * Returns the file of a secret. In the dialogue the secret itself may be typed, which is not
   * shown.
   *
   * @param there what an earlier run has written, used if it is there and no other is named
   */
  public Path secret(Question question, @Nullable Path there) {
    String known = accepted.get(question);
    if (known != null) {
      return Path.of(known);
    }
    boolean isAgain = again.contains(question);
    String proposed = isAgain ? null : proposed(question);
    if (proposed == null && !isAgain && there != null && Files.exists(there)) {
      proposed = there.toString();
    }
    if (proposed != null) {
      try {
        return named(question, proposed);
      } catch (SetupException e) {
        if (!dialogue.isInteractive()) {
          throw e;
        }
        dialogue.say(String.valueOf(e.getMessage()));
      }
    }
    if (!dialogue.isInteractive()) {
      throw missing(question);
    }
    return typedOrNamed(question);
  }

  private Path named(Question question, String answer) {
    question
        .fault(answer)
        .ifPresent(
            fault -> {
              throw new SetupException(Kind.USAGE, fault);
            });
    requireReadable(question, Path.of(answer));
    return Path.of(accept(question, answer));
  }

  private Path typedOrNamed(Question question) {
    while (true) {
      String answer =
          dialogue
              .ask(question.text() + ": its file, or nothing to type it")
              .orElseThrow(Answers::stopped)
              .strip();
      try {
        if (!answer.isEmpty()) {
          return named(question, answer);
        }
        Optional<Path> file = type(question);
        if (file.isPresent()) {
          return Path.of(accept(question, file.get().toString()));
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
    if (secret.length == 0 || secret.length > SECRET_BYTES_MAX / 4) {
      dialogue.say("1 to " + SECRET_BYTES_MAX / 4 + " characters");
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

  private static void requireReadable(Question question, Path file) {
    String fault = null;
    try {
      if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
        fault = "cannot be read: check that it is there, and run setup as root";
      } else if (Files.size(file) > SECRET_BYTES_MAX) {
        fault = "is larger than " + SECRET_BYTES_MAX + " bytes: it holds a secret in one line";
      } else if (Files.readString(file).lines().findFirst().orElse("").isBlank()) {
        fault = "is empty, or its first line is";
      }
    } catch (IOException e) {
      fault = "cannot be read: " + e.getMessage();
    }
    if (fault != null) {
      throw new SetupException(Kind.USAGE, question.option() + ": " + file + " " + fault);
    }
  }

  private @Nullable String proposed(Question question) {
    String flag = given.get(question);
    if (flag != null) {
      return flag;
    }
    String kept = drafted.get(question);
    if (kept != null) {
      return kept;
    }
    return configured(question).orElse(null);
  }

  private String ask(Question question, @Nullable String offered) {
    String prompt = question.text() + (offered == null ? "" : " [" + offered + "]");
    while (true) {
      String line = dialogue.ask(prompt).orElseThrow(Answers::stopped).strip();
      String answer = line.isEmpty() && offered != null ? offered : line;
      Optional<String> fault = question.fault(answer);
      if (fault.isEmpty()) {
        return accept(question, answer);
      }
      dialogue.say(fault.get());
    }
  }

  private String accept(Question question, String answer) {
    String normal = question.normal(answer);
    accepted.put(question, normal);
    again.remove(question);
    return normal;
  }

  /** Has these asked in the dialogue, with what they are now as the usual answer. */
  public void askAgain(Set<Question> questions) {
    for (Question question : questions) {
      String answer = accepted.remove(question);
      if (answer != null && !question.isSecret()) {
        drafted.put(question, answer);
      }
      if (question.isSecret()) {
        drafted.remove(question);
      }
      given.remove(question);
      again.add(question);
    }
  }

  /** Has everything asked again. */
  public void askAllAgain() {
    askAgain(EnumSet.allOf(Question.class));
  }

  /** Returns the settings of a node, as far as they were answered. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (Question question : Question.values()) {
      String answer = accepted.get(question);
      if (answer != null) {
        question.setting().ifPresent(name -> settings.put(name, written(question, name, answer)));
      }
    }
    return settings;
  }

  /** A line that says the same in another form stays as it is. */
  private String written(Question question, String name, String answer) {
    return before.value(name).filter(there -> question.normal(there).equals(answer)).orElse(answer);
  }

  /**
   * Keeps what was answered, but for secrets that were typed.
   *
   * @throws SetupException if the file cannot be written
   */
  public void keep() {
    Map<Question, String> kept = new EnumMap<>(drafted);
    accepted.forEach(
        (question, answer) -> {
          if (!question.isSecret() || !typed.holds(Path.of(answer))) {
            kept.put(question, answer);
          }
        });
    try {
      draft.write(kept);
    } catch (IOException e) {
      throw new SetupException(
          "cannot write " + draft.file() + ": run setup as root, or name another --config-dir", e);
    }
  }

  /**
   * Removes the draft.
   *
   * @throws IOException if it cannot be removed
   */
  public void forget() throws IOException {
    draft.remove();
  }

  /** What ends the run when the operator ends the input. */
  public static SetupException stopped() {
    return new SetupException(
        Kind.STOPPED, "stopped; the answers so far are kept: run setup again to go on");
  }

  /** What ends the run when there is no answer. */
  public static SetupException missing(Question question) {
    return new SetupException(Kind.USAGE, question.option() + " is missing: " + question.text());
  }
}
