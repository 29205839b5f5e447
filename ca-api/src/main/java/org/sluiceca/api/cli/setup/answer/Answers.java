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
import org.sluiceca.api.cli.setup.question.Question;

/**
 * The answers of this run. An answer comes from the command line, the draft or the node's settings,
 * then from the dialogue, which offers the usual one; without a dialogue the usual one counts, or
 * the run ends with the option's name. For one thread.
 */
public final class Answers {

  private final Dialogue dialogue;
  private final Sources sources;
  private final Secrets secrets;
  private final Map<Question, String> accepted = new EnumMap<>(Question.class);

  /** What has to be asked although an answer is there: it was refused by a check. */
  private final Set<Question> again = EnumSet.noneOf(Question.class);

  /** Asks what the sources do not have. */
  public Answers(Dialogue dialogue, Sources sources, PrivateFiles typed) {
    this.dialogue = dialogue;
    this.sources = sources;
    this.secrets = new Secrets(dialogue, typed);
  }

  /** Returns whether there is an answer without asking. */
  public boolean isKnown(Question question) {
    return accepted.containsKey(question) || sources.first(question).isPresent();
  }

  /** Returns what the node's settings that are there say; empty if they do not. */
  public Optional<String> configured(Question question) {
    return sources.configured(question);
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
    String proposed = sources.first(question).orElse(null);
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
    String proposed = isAgain ? null : sources.first(question).orElse(null);
    if (proposed == null && !isAgain && there != null && Files.exists(there)) {
      proposed = there.toString();
    }
    if (proposed != null) {
      try {
        secrets.require(question, proposed);
        return Path.of(accept(question, proposed));
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
    return Path.of(accept(question, secrets.ask(question)));
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
      sources.refuse(question, accepted.remove(question));
      again.add(question);
    }
  }

  /** Has everything asked again. */
  public void askAllAgain() {
    askAgain(EnumSet.allOf(Question.class));
  }

  /**
   * Returns the answers that are there without asking, and that the node's settings contradict, by
   * the settings' names.
   */
  public Map<String, String> contradicted(Set<Question> questions) {
    Map<String, String> contradicted = new LinkedHashMap<>();
    for (Question question : questions) {
      if (sources.isContradicted(question)) {
        contradicted.put(
            question.setting().orElseThrow(),
            sources.first(question).map(question::normal).orElseThrow());
      }
    }
    return contradicted;
  }

  /** Returns the settings of a node, as far as they were answered. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (Question question : Question.values()) {
      String answer = accepted.get(question);
      if (answer != null) {
        question
            .setting()
            .ifPresent(name -> settings.put(name, sources.written(question, name, answer)));
      }
    }
    return settings;
  }

  /**
   * Keeps what was answered, but for secrets that were typed.
   *
   * @throws SetupException if the file cannot be written
   */
  public void keep() {
    Map<Question, String> kept = new EnumMap<>(Question.class);
    accepted.forEach(
        (question, answer) -> {
          if (!question.isSecret() || !secrets.isTyped(answer)) {
            kept.put(question, answer);
          }
        });
    sources.keep(kept);
  }

  /**
   * Removes the draft.
   *
   * @throws IOException if it cannot be removed
   */
  public void forget() throws IOException {
    sources.forget();
  }

  /** What ends the run when the operator ends the input. */
  public static SetupException stopped() {
    return new SetupException(
        Kind.STOPPED, "stopped; the answers so far are kept: run setup again to go on");
  }

  /** What ends the run when there is no answer. */
  private static SetupException missing(Question question) {
    return new SetupException(Kind.USAGE, question.option() + " is missing: " + question.text());
  }
}
