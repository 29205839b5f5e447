package org.sluiceca.api.cli.setup.issuer;

import java.nio.file.Path;
import java.util.Set;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.answer.SetupException;

/** A token and how it is opened. */
public record TokenAccess(Path module, String label, Path pinFile) {

  /**
   * Logs in once and looks for keys. Blocks as long as the token takes.
   *
   * @param names of the keys to look for
   * @throws IllegalStateException with one line, if the token cannot be used
   * @throws SetupException if the PIN is refused: it is not asked for again
   */
  public TokenState keys(Set<String> names) {
    try {
      return TokenState.read(module, label, pinFile, names);
    } catch (TokenState.Unusable e) {
      if (e.isPinRefused()) {
        throw new SetupException(
            e.getMessage()
                + ". One login was tried, and setup makes no other: tokens lock after a few wrong"
                + " PINs. Correct the PIN, then run setup again",
            e);
      }
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /**
   * Returns whether it is the same token, by what the token says of itself. Logs in to nothing.
   * Blocks as long as both take.
   *
   * @throws IllegalStateException with one line, if there is none
   */
  boolean isSame(TokenAccess other) {
    try {
      return TokenState.isSame(module, label, other.module(), other.label());
    } catch (TokenState.Unusable e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
