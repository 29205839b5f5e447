package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.setup.question.Question;

/**
 * Where there are answers without asking: on the command line, then in the draft of a run that was
 * stopped, then in the node's settings that are there. For one thread.
 */
public final class Sources {

  private final Map<Question, String> given;
  private final Draft draft;
  private final Map<Question, String> drafted;
  private final NodeEnv before;

  /**
   * Reads the draft.
   *
   * @param given the command line's
   * @param draft the file in which answers are kept until the run reaches its end
   * @param before the node's settings that are there
   * @throws SetupException if the draft is another user's
   * @throws IOException if the draft cannot be read
   */
  public Sources(Map<Question, String> given, Path draft, NodeEnv before) throws IOException {
    this.given = new EnumMap<>(Question.class);
    this.given.putAll(given);
    this.draft = Draft.of(draft);
    this.drafted = this.draft.read();
    this.before = before;
  }

  /** Returns whether a stopped run has left answers. */
  public boolean hasDraft() {
    return !drafted.isEmpty();
  }

  /** Returns the first answer that is there, whatever it is. */
  Optional<String> first(Question question) {
    return Optional.ofNullable(given.get(question))
        .or(() -> Optional.ofNullable(drafted.get(question)))
        .or(() -> configured(question));
  }

  /** Returns what the node's settings say. */
  Optional<String> configured(Question question) {
    return question.setting().flatMap(before::value).map(question::normal);
  }

  /**
   * Returns whether the first answer that is there is another than the node's settings have. One
   * that cannot be an answer contradicts nothing.
   */
  boolean isContradicted(Question question) {
    Optional<String> there = configured(question);
    return there.isPresent()
        && first(question)
            .filter(answer -> question.fault(answer).isEmpty())
            .map(question::normal)
            .filter(answer -> !there.get().equals(answer))
            .isPresent();
  }

  /** Returns a setting's value. A line that says the same in another form stays as it is. */
  String written(Question question, String setting, String answer) {
    return before
        .value(setting)
        .filter(there -> question.normal(there).equals(answer))
        .orElse(answer);
  }

  /**
   * Takes back what the command line says, since it was refused.
   *
   * @param last the answer that was refused, which is proposed from now on, unless it is a secret
   */
  void refuse(Question question, @Nullable String last) {
    given.remove(question);
    if (question.isSecret()) {
      drafted.remove(question);
    } else if (last != null) {
      drafted.put(question, last);
    }
  }

  /**
   * Keeps these answers in the draft, and those of it that were not asked yet.
   *
   * @throws SetupException if the file cannot be written
   */
  void keep(Map<Question, String> answers) {
    Map<Question, String> kept = new EnumMap<>(drafted);
    kept.putAll(answers);
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
  void forget() throws IOException {
    draft.remove();
  }
}
