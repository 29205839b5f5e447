package org.sluiceca.api.acme.account.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.Standing;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.nonce.store.NonceStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Accounts in PostgreSQL. Thread-safe; blocks for a statement or two and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not answer.
 */
public final class AccountStore {

  private static final String COLUMNS =
      String.format(
          Locale.ROOT,
          "a.id, a.thumbprint, a.spki, a.contacts, a.requester AS account_requester,"
              + " a.endpoint AS account_endpoint, a.network, a.is_used, a.key_changed_at, a.ended_at, %s",
          BindingStore.COLUMNS);

  private static final String TABLES =
      " FROM acme_account a LEFT JOIN acme_binding b ON b.kid = a.binding";

  private static final String FROM = "SELECT " + COLUMNS + TABLES;

  private static final String FIND = FROM + " WHERE a.id = ? AND a.endpoint = ?";

  /** As {@link NonceStore} spends them; the nonce is spent also if there is no account. */
  private static final String SPEND_AND_FIND =
      "WITH spent AS (INSERT INTO acme_nonce (slot, nonce) SELECT ?, ? FROM acme_nonce_epoch e"
          + " WHERE e.epoch = ? ON CONFLICT (slot, nonce) DO NOTHING RETURNING nonce)"
          + " SELECT EXISTS (SELECT FROM spent) AS is_unspent, "
          + COLUMNS
          + TABLES
          + " WHERE a.id = ? AND a.endpoint = ?";

  private static final String FIND_KEY = FROM + " WHERE a.endpoint = ? AND a.thumbprint = ?";

  /** Each is a durable row of the audit trail, which is never removed. */
  public static final Duration KEY_CHANGE_PERIOD = Duration.ofMinutes(10);

  private static final String USED =
      "UPDATE acme_account SET is_used = true WHERE id = ? AND ended_at IS NULL";

  /**
   * The row is locked by then, so an account that is used at the same time stays or is gone. A node
   * may have died between an order and the note that its account is used.
   */
  private static final String REMOVE =
      """
      DELETE FROM acme_account WHERE NOT is_used AND id IN (
        SELECT a.id FROM acme_account a
        WHERE a.binding IS NULL AND NOT a.is_used AND a.created_at < ?
          AND NOT EXISTS (SELECT FROM certificate_request r WHERE r.actor = a.id)
        ORDER BY a.created_at LIMIT ?)
      """;

  private static final String CONTACTS = "UPDATE acme_account SET contacts = ? WHERE id = ?";

  private static final String END =
      "UPDATE acme_account SET ended_at = now() WHERE id = ? AND ended_at IS NULL";

  private static final String CHANGE_KEY =
      """
      UPDATE acme_account AS a SET thumbprint = ?, spki = ?, key_changed_at = now()
      WHERE a.id = ? AND a.ended_at IS NULL
        AND (a.key_changed_at IS NULL OR a.key_changed_at < now() - ? * interval '1 second')
        AND NOT EXISTS (
        SELECT FROM acme_account o WHERE o.endpoint = a.endpoint AND o.thumbprint = ?)
      """;

  private final LedgerSql sql;

  /** Keeps accounts in a database that was migrated. */
  public AccountStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Notes that an account has made an order; returns whether it is still there. */
  public boolean use(RegistrationId id) {
    return sql.run(
            "the account cannot be recorded",
            jdbc -> jdbc.sql(USED).param(id.octets().octets()).update())
        == 1;
  }

  /**
   * Removes accounts of no binding that were made before {@code before} and never made an order,
   * {@code max} at most, oldest first; returns how many.
   */
  public int removeUnused(Instant before, int max) {
    return sql.run(
        "unused accounts cannot be removed",
        jdbc ->
            jdbc.sql(REMOVE)
                .params(OffsetDateTime.ofInstant(before, ZoneOffset.UTC), max)
                .update());
  }

  /** Returns an account of an endpoint. */
  public Optional<Account> find(EndpointName endpoint, RegistrationId id) {
    return read(jdbc -> jdbc.sql(FIND).params(id.octets().octets(), endpoint.value()));
  }

  /**
   * An account as it is now.
   *
   * @param isUnspent whether the nonce was not spent before, in the epoch of the database
   */
  public record Current(Account account, boolean isUnspent) {}

  /** Spends a nonce and returns an account of an endpoint, in one statement. */
  public Optional<Current> spendAndFind(
      NonceStore.Spending nonce, EndpointName endpoint, RegistrationId id) {
    return sql.run(
        "the account cannot be read",
        jdbc ->
            jdbc.sql(SPEND_AND_FIND)
                .params(nonce.slot(), nonce.nonce().octets(), nonce.epoch().octets())
                .params(id.octets().octets(), endpoint.value())
                .query((row, number) -> new Current(account(row), row.getBoolean("is_unspent")))
                .optional());
  }

  /** Returns the account of a key. */
  public Optional<Account> find(EndpointName endpoint, OctetString thumbprint) {
    return read(jdbc -> jdbc.sql(FIND_KEY).params(endpoint.value(), thumbprint.octets()));
  }

  private Optional<Account> read(Function<JdbcClient, JdbcClient.StatementSpec> by) {
    return sql.run(
        "the account cannot be read",
        jdbc -> by.apply(jdbc).query((row, number) -> account(row)).optional());
  }

  /** Replaces the contacts. */
  public void contacts(RegistrationId id, List<String> contacts) {
    int _ =
        sql.run(
            "the contacts cannot be recorded",
            jdbc ->
                jdbc.sql(CONTACTS)
                    .params(new SqlArrayValue("text", contacts.toArray()), id.octets().octets())
                    .update());
  }

  /** Ends an account for good. */
  public void end(RegistrationId id) {
    int _ =
        sql.run(
            "the account cannot be ended",
            jdbc -> jdbc.sql(END).param(id.octets().octets()).update());
  }

  /**
   * Gives an account another key; returns whether no account had it, this one goes on, and its last
   * change is {@link #KEY_CHANGE_PERIOD} ago.
   */
  public boolean changeKey(RegistrationId id, OctetString thumbprint, SubjectPublicKeyInfo key) {
    return sql.run(
            "the key cannot be changed",
            jdbc ->
                jdbc.sql(CHANGE_KEY)
                    .params(thumbprint.octets(), key.encoded(), id.octets().octets())
                    .param(KEY_CHANGE_PERIOD.toSeconds())
                    .params(thumbprint.octets())
                    .update())
        == 1;
  }

  private static Account account(ResultSet row) throws SQLException {
    try {
      return new Account(
          new RegistrationId(OctetString.copyOf(row.getBytes("id"))),
          new EndpointName(row.getString("account_endpoint")),
          OctetString.copyOf(row.getBytes("thumbprint")),
          PublicKeyReader.read(row.getBytes("spki")),
          List.of((String[]) row.getArray("contacts").getArray()),
          new RequesterId(row.getString("account_requester")),
          row.getString("kid") == null ? Optional.empty() : Optional.of(BindingStore.binding(row)),
          new Standing(
              Optional.ofNullable(row.getString("network")),
              row.getBoolean("is_used"),
              instant(row, "key_changed_at"),
              instant(row, "ended_at")));
    } catch (DerException e) {
      throw new IllegalStateException("the database's own public key does not parse", e);
    }
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
