package org.sluiceca.api.cli.setup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.cli.setup.answer.Dialogue;

/** An operator who answers by the beginning of the prompt, and keeps what was shown and asked. */
final class ScriptedOperator implements Dialogue {

  private final Map<String, Deque<String>> script = new LinkedHashMap<>();
  private final List<String> shown = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final boolean isInteractive;
  private int left = Integer.MAX_VALUE;

  private ScriptedOperator(boolean isInteractive) {
    this.isInteractive = isInteractive;
  }

  /** One who is not asked. */
  static ScriptedOperator absent() {
    return new ScriptedOperator(false);
  }

  static ScriptedOperator present() {
    return new ScriptedOperator(true);
  }

  /** Answers a prompt that begins so, with one after the other if it is asked several times. */
  ScriptedOperator answers(String prompt, String... answers) {
    script.put(prompt, new ArrayDeque<>(List.of(answers)));
    return this;
  }

  /** Ends the input after this number of questions. */
  ScriptedOperator leavingAfter(int questions) {
    left = questions;
    return this;
  }

  @Override
  public boolean isInteractive() {
    return isInteractive;
  }

  @Override
  public void say(String line) {
    shown.add(line);
  }

  @Override
  public Optional<String> ask(String prompt) {
    if (!isInteractive) {
      throw new AssertionError("asked an operator who is not there: " + prompt);
    }
    asked.add(prompt);
    if (left-- == 0) {
      return Optional.empty();
    }
    for (Map.Entry<String, Deque<String>> entry : script.entrySet()) {
      if (prompt.startsWith(entry.getKey()) && !entry.getValue().isEmpty()) {
        return Optional.of(entry.getValue().removeFirst());
      }
    }
    throw new AssertionError("no answer to: " + prompt + "; shown: " + shown);
  }

  @Override
  public Optional<char[]> askSecret(String prompt) {
    return ask(prompt).map(String::toCharArray);
  }

  List<String> asked() {
    return asked;
  }

  String shown() {
    return String.join("\n", shown);
  }
}
