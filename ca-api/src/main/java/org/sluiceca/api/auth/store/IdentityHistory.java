package org.sluiceca.api.auth.store;

import java.util.Locale;
import org.sluiceca.core.request.RequesterId;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The credentials that a requester id has and had.
 *
 * @param isKnown whether it ever had any
 * @param wasPrivileged whether one ever had the role admin or officer
 * @param isAdmin whether a valid one has the role admin
 * @param isPrivileged whether a valid one has the role admin or officer
 * @param hasOrdinary whether a valid one has neither
 */
public record IdentityHistory(
    boolean isKnown,
    boolean wasPrivileged,
    boolean isAdmin,
    boolean isPrivileged,
    boolean hasOrdinary) {

  private static final String PRIVILEGED = "roles && '{admin,officer}'";

  /** Aggregates, so that its answer is whole however many credentials an id has had. */
  private static final String HISTORY =
      String.format(
          Locale.ROOT,
          """
          SELECT count(*) > 0 AS is_known,
            coalesce(bool_or(%1$s), false) AS was_privileged,
            coalesce(bool_or(is_valid AND roles @> '{admin}'), false) AS is_admin,
            coalesce(bool_or(is_valid AND %1$s), false) AS is_privileged,
            coalesce(bool_or(is_valid AND NOT %1$s), false) AS has_ordinary
          FROM (SELECT roles, revoked_at IS NULL AND expires_at > now() AND %2$s IS NULL AS is_valid
                FROM credential WHERE requester = ?) of_one
          """,
          PRIVILEGED,
          CredentialColumns.COMPROMISED_AT);

  /** Reads the history of this id. */
  static IdentityHistory of(JdbcClient jdbc, RequesterId requester) {
    return jdbc.sql(HISTORY)
        .param(requester.value())
        .query(
            (row, number) ->
                new IdentityHistory(
                    row.getBoolean("is_known"),
                    row.getBoolean("was_privileged"),
                    row.getBoolean("is_admin"),
                    row.getBoolean("is_privileged"),
                    row.getBoolean("has_ordinary")))
        .single();
  }
}
