package org.sluiceca.api.cli.setup.answer;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.sluiceca.api.cli.setup.question.Question;

/**
 * Questions that one check answers for together. In the dialogue a section that fails is asked
 * again; otherwise its failure ends the run.
 */
public final class Sections {

  private final Answers answers;
  private final Dialogue dialogue;
  private final boolean isKept;

  /**
   * Sections of these answers.
   *
   * @param isKept whether answers are kept after each section of a dialogue
   */
  public Sections(Answers answers, Dialogue dialogue, boolean isKept) {
    this.answers = answers;
    this.dialogue = dialogue;
    this.isKept = isKept;
  }

  /**
   * Runs a section until its check passes: until it throws no {@link IllegalStateException} or
   * {@link IllegalArgumentException}, whose first line is for the operator.
   *
   * @param questions what is asked again
   * @throws SetupException if the check fails and cannot be asked again
   */
  public <T> T run(Set<Question> questions, Supplier<T> section) {
    while (true) {
      try {
        T result = section.get();
        keep();
        return result;
      } catch (IllegalStateException | IllegalArgumentException e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("failed");
        if (!dialogue.isInteractive()) {
          throw new SetupException(line, e);
        }
        dialogue.say(line);
        answers.askAgain(questions);
      }
    }
  }

  /** Keeps the answers of a dialogue so far. */
  public void keep() {
    if (isKept && dialogue.isInteractive()) {
      answers.keep();
    }
  }

  /** What a check throws that fails. */
  @FormatMethod
  public static IllegalStateException failure(String pattern, Object... values) {
    return new IllegalStateException(String.format(Locale.ROOT, pattern, values));
  }
}
