package org.sluiceca.api.auth.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.support.SqlArrayValue;

/** Reads and writes credentials in the columns of the table {@code credential}. */
final class CredentialColumns {

  /** When the key of a client certificate was reported as compromised, which ends it, too. */
  static final String COMPROMISED_AT =
      """
      (SELECT min(k.recorded_at) FROM (
         SELECT c.recorded_at FROM compromised_key c WHERE c.spki_sha256 = credential.sha256
         UNION ALL
         SELECT c.recorded_at FROM compromised_key_claim c
         WHERE c.spki_sha256 = credential.sha256 AND c.requester = credential.requester) AS k
       WHERE credential.kind = 'certificate')\
      """;

  /** By its primary key, and only for what came by a rotation. */
  private static final String REPLACES =
      """
      (SELECT p.id FROM credential p
       WHERE p.id = credential.rotated_from AND p.revoked_at IS NULL AND p.expires_at > now())\
      """;

  /** All of a {@link RegisteredCredential}. */
  static final String COLUMNS =
      "id, requester, kind, sha256, roles, profiles, created_at, expires_at, coalesce(revoked_at, "
          + COMPROMISED_AT
          + ") AS revoked_at, rotated_from, "
          + REPLACES
          + " AS replaces";

  private CredentialColumns() {}

  /** Reads a row of {@link #COLUMNS}. */
  static RegisteredCredential credential(ResultSet row, int number) throws SQLException {
    return new RegisteredCredential(
        row.getObject("id", UUID.class),
        new RequesterId(row.getString("requester")),
        Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
        OctetString.copyOf(row.getBytes("sha256")),
        new Grant(
            values(row, "roles", t -> Role.valueOf(t.toUpperCase(Locale.ROOT))),
            values(row, "profiles", ProfileName::new),
            LedgerColumns.instant(row, "expires_at")),
        LedgerColumns.instant(row, "created_at"),
        optional(row, "revoked_at"),
        Optional.ofNullable(row.getObject("rotated_from", UUID.class)),
        Optional.ofNullable(row.getObject("replaces", UUID.class)));
  }

  static Optional<Instant> optional(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  /** Returns the text that stands for a kind or role. */
  static String column(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static OffsetDateTime time(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  static <T> SqlArrayValue texts(Set<T> values, Function<T, String> text) {
    return new SqlArrayValue("text", values.stream().map(text).sorted().toArray());
  }

  private static <T> Set<T> values(ResultSet row, String column, Function<String, T> value)
      throws SQLException {
    return Arrays.stream((String[]) row.getArray(column).getArray())
        .map(value)
        .collect(Collectors.toUnmodifiableSet());
  }
}
