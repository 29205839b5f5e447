package org.sluiceca.api.cli.setup;

import java.util.Optional;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.issuer.RootState;
import org.sluiceca.api.cli.setup.issuer.TokenAccess;
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
