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

  private static final String FROM =
      String.format(
          Locale.ROOT,
          "SELECT a.id, a.thumbprint, a.spki, a.contacts, a.requester AS account_requester,"
              + " a.endpoint AS account_endpoint, a.network, a.is_used, a.key_changed_at, a.ended_at, %s"
              + " FROM acme_account a LEFT JOIN acme_binding b ON b.kid = a.binding",
          BindingStore.COLUMNS);

  private static final String FIND = FROM + " WHERE a.id = ? AND a.endpoint = ?";

  private static final String FIND_KEY = FROM + " WHERE a.endpoint = ? AND a.thumbprint = ?";

  /** Some hundred octets each. A team with more machines has several bindings. */
  private static final int OF_BINDING_MAX = 10_000;

  /** Of no binding, an hour and an endpoint: anyone who reaches the endpoint makes them. */
  static final int NEW_MAX = 1_000;

  /** Of these from one network: ten networks at least share what an endpoint has. */
  static final int NEW_OF_NETWORK_MAX = 100;

  /** Each is a durable row of the audit trail, which is never removed. */
  public static final Duration KEY_CHANGE_PERIOD = Duration.ofMinutes(10);

  /** Accounts of a binding are made one by one, so that two nodes make no more than it may have. */
  private static final String LOCK = "SELECT kid FROM acme_binding WHERE kid = ? FOR UPDATE";

  private static final String INSERT =
      """
      INSERT INTO acme_account (id, thumbprint, spki, contacts, endpoint, binding, requester)
      SELECT ?, ?, ?, ?, b.endpoint, b.kid, b.requester FROM acme_binding b
      WHERE b.kid = ? AND b.revoked_at IS NULL AND b.expires_at > now()
        AND (SELECT count(*) FROM (SELECT FROM acme_account o WHERE o.binding = b.kid LIMIT ?) made)
          < CASE WHEN b.is_single THEN 1 ELSE ? END
      ON CONFLICT (endpoint, thumbprint) DO NOTHING
      """;

  private static final String INSERT_OPEN =
      """
      INSERT INTO acme_account (id, thumbprint, spki, contacts, endpoint, network, requester)
      SELECT ?, ?, ?, ?, n.endpoint, n.network, ? FROM (SELECT ? AS endpoint, ?::text AS network) n
      WHERE (SELECT count(*) FROM (SELECT FROM acme_account o
                                   WHERE o.endpoint = n.endpoint AND o.binding IS NULL
                                     AND o.created_at > now() - interval '1 hour' LIMIT ?) made) < ?
        AND (n.network IS NULL OR
             (SELECT count(*) FROM (SELECT FROM acme_account o
                                    WHERE o.endpoint = n.endpoint AND o.network = n.network
                                      AND o.binding IS NULL
                                      AND o.created_at > now() - interval '1 hour' LIMIT ?) near) < ?)
      ON CONFLICT (endpoint, thumbprint) DO NOTHING
      """;

  private static final String HAS_ROOM =
      """
      SELECT (SELECT count(*) FROM (SELECT FROM acme_account o WHERE o.binding = b.kid LIMIT ?) made)
        < CASE WHEN b.is_single THEN 1 ELSE ? END
      FROM acme_binding b WHERE b.kid = ?
      """;

  private static final String HAS_ROOM_OPEN =
      """
      SELECT count(*) < ? FROM (SELECT FROM acme_account o
                                WHERE o.endpoint = ? AND o.binding IS NULL
                                  AND o.created_at > now() - interval '1 hour' LIMIT ?) made
      """;

  private static final String HAS_ROOM_IN =
      """
      SELECT count(*) < ? FROM (SELECT FROM acme_account o
                                WHERE o.endpoint = ? AND o.network = ? AND o.binding IS NULL
                                  AND o.created_at > now() - interval '1 hour' LIMIT ?) made
      """;

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

  /** A new account. */
  public record NewAccount(
      RegistrationId id, OctetString thumbprint, SubjectPublicKeyInfo key, List<String> contacts) {

    /** Copies the contacts. */
    public NewAccount {
      contacts = List.copyOf(contacts);
    }
  }

  /**
   * Returns whether another account may be made now, of a binding or of none; what a node asks
   * before it writes that it will make one.
   */
  public boolean hasRoom(EndpointName endpoint, Optional<String> binding) {
    return sql.run(
        "the accounts cannot be counted",
        jdbc ->
            (binding.isPresent()
                    ? jdbc.sql(HAS_ROOM).params(OF_BINDING_MAX, OF_BINDING_MAX, binding.get())
                    : jdbc.sql(HAS_ROOM_OPEN).params(NEW_MAX, endpoint.value(), NEW_MAX))
                .query(Boolean.class)
                .optional()
                .orElse(false));
  }

  /** Returns the same for accounts of no binding from one network. */
  public boolean hasRoomIn(EndpointName endpoint, String network) {
    return sql.run(
        "the accounts cannot be counted",
        jdbc ->
            jdbc.sql(HAS_ROOM_IN)
                .params(NEW_OF_NETWORK_MAX, endpoint.value(), network, NEW_OF_NETWORK_MAX)
                .query(Boolean.class)
                .single());
  }

  /**
   * Makes an account of no binding durable, unless its key has one, or too many are new. Several
   * nodes at once may make a few more than the limit.
   *
   * @param network that it is registered from, if that is known
   */
  public void add(
      NewAccount account, EndpointName endpoint, Optional<String> network, RequesterId requester) {
    int _ =
        sql.run(
            "the account cannot be recorded",
            jdbc ->
                values(jdbc.sql(INSERT_OPEN), account)
                    .params(requester.value(), endpoint.value())
                    .param(network.orElse(null))
                    .params(NEW_MAX, NEW_MAX, NEW_OF_NETWORK_MAX, NEW_OF_NETWORK_MAX)
                    .update());
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

  /**
   * Makes an account of a binding durable, unless its key has one or the binding makes no more.
   *
   * @param binding its name; the account is of its endpoint and its requester
   */
  public void add(NewAccount account, String binding) {
    int _ =
        sql.transaction(
            "the account cannot be recorded",
            jdbc -> {
              jdbc.sql(LOCK).param(binding).query(row -> {});
              return values(jdbc.sql(INSERT), account)
                  .params(binding, OF_BINDING_MAX, OF_BINDING_MAX)
                  .update();
            });
  }

  private static JdbcClient.StatementSpec values(
      JdbcClient.StatementSpec insert, NewAccount account) {
    return insert
        .params(account.id().octets().octets(), account.thumbprint().octets())
        .params(account.key().encoded())
        .params(new SqlArrayValue("text", account.contacts().toArray()));
  }

  /** Returns an account of an endpoint. */
  public Optional<Account> find(EndpointName endpoint, RegistrationId id) {
    return read(jdbc -> jdbc.sql(FIND).params(id.octets().octets(), endpoint.value()));
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
