package org.sluiceca.api.cli.setup;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;

/**
 * What all checks have found, and the accounts and tokens that passed them.
 *
 * @param keys what the issuing token holds
 * @param subject of the issuing CA's certificate, if there is one
 * @param rootToken the root's token, if it is needed
 * @param credentials what the folder has of the first credentials
 */
record Findings(
    Database database,
    Present present,
    TokenAccess token,
    TokenState keys,
    RootState root,
    Optional<String> subject,
    Optional<TokenAccess> rootToken,
    Credentials credentials) {

  /**
   * The database's accounts.
   *
   * @param isSchemaThere whether this release's schema is there
   * @param mustMigrate whether the schema or the serving role's rights are missing
   * @param owner the owner of the tables, if it is another role and needed
   * @param connections the server's max_connections
   */
  record Database(
      Account service,
      boolean isSchemaThere,
      boolean mustMigrate,
      Optional<Account> owner,
      int connections) {

    /** Returns an account that may read what is there. */
    Account reader() {
      return owner.orElse(service);
    }
  }

  /** A token and how it is opened. */
  record TokenAccess(Path module, String label, Path pinFile) {

    /**
     * Logs in once and looks for keys. Blocks as long as the token takes.
     *
     * @param names of the keys to look for
     * @throws IllegalStateException with one line, if the token cannot be used
     * @throws SetupException if the PIN is refused: it is not asked for again
     */
    TokenState keys(Set<String> names) {
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
  }

  /** Where the issuing CA's certificate comes from. */
  enum RootState {
    /** It is installed. */
    INSTALLED,
    /** Our own root has signed it, in a run that was stopped. */
    SIGNED,
    /** Our own root signs it in this run. */
    OWN,
    /** Another CA has signed it, and its files are named. */
    BROUGHT,
    /** Another CA has to sign it. */
    AWAITED
  }

  /** Who may do something at the service. */
  enum Credentials {
    /** Both tokens are in their files and valid. */
    WRITTEN,
    /** They are to be written. */
    MISSING,
    /** There are administrators, whose credentials are elsewhere. */
    ELSEWHERE
  }
}
