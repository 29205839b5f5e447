package org.sluiceca.client.shell;

/**
 * Bash's script for zsh, which reads it by its bashcompinit: sourced, or as the file {@code _NAME}
 * in a folder of {@code $fpath}, where it is the body of a function of that name.
 */
final class ZshCompletion {

  /** Zsh expands no alias in a function that it loads, and one would take a like-named command. */
  private static final String ALIAS = "alias compopt=complete";

  private ZshCompletion() {}

  /** Of the script of bash for the command {@code name}. */
  static String of(String name, String bash) {
    if (!bash.contains(ALIAS)) {
      throw new IllegalArgumentException("picocli's script is another: it has no " + ALIAS);
    }
    return "#compdef "
        + name
        + bash.substring(bash.indexOf('\n')).replace(ALIAS, "function compopt { :; }")
        + """

        # Loaded as a function, of which this is the first call: later ones are _complete_NAME's.
        if [ "${funcstack[1]}" = _NAME ]; then
          _bash_complete -F _complete_NAME -o default
        fi
        """
            .replace("NAME", name);
  }
}
