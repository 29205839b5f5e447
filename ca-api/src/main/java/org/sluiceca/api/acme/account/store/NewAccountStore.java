package org.sluiceca.api.acme.account.store;

import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Makes accounts in PostgreSQL, within the limits of those that anyone can have made. Thread-safe;
 * blocks for a statement or two and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not answer.
 */
public final class NewAccountStore {

  /** Some hundred octets each. A team with more machines has several bindings. */
  private static final int OF_BINDING_MAX = 10_000;

  /** Of no binding, an hour and an endpoint: anyone who reaches the endpoint makes them. */
  static final int NEW_MAX = 1_000;

  /** Of these from one network: ten networks at least share what an endpoint has. */
  static final int NEW_OF_NETWORK_MAX = 100;

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

  private final LedgerSql sql;

  /** Makes accounts in a database that was migrated. */
  public NewAccountStore(LedgerDatabase database) {
    this.sql = database.sql();
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
}
