package org.sluiceca.api.cli.setup.answer;

import java.util.Optional;

/** The operator at a terminal, or a script. Blocks until an answer is there. */
public interface Dialogue {

  /** Returns whether questions can be asked. */
  boolean isInteractive();

  /** Shows a line. */
  void say(String line);

  /** Asks for a line; empty at the end of the input. */
  Optional<String> ask(String prompt);

  /** Asks for a secret, which is not shown; empty at the end of the input. The caller wipes it. */
  Optional<char[]> askSecret(String prompt);
}
