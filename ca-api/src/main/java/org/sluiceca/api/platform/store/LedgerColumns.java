package org.sluiceca.api.platform.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/** Reads intents and outcomes from the columns in which they are kept. */
public final class LedgerColumns {

  /** The columns of an intent {@code i}. */
  public static final String INTENT =
      "i.serial, i.recorded_at, i.requester, i.profile, i.issuer, i.signature_algorithm,"
          + " i.idempotency_key, i.payload_hash, i.tbs, i.profile_version";

  /** The columns of an outcome {@code o}, all null if there is none. */
  public static final String OUTCOME =
      "o.kind, o.signature, o.reason, o.maybe_signed, o.owner, o.epoch";

  private static final String ISSUED = "issued";
  private static final String ABANDONED = "abandoned";

  private LedgerColumns() {}

  /** Returns the intent of a row, and its outcome if it has one. */
  public static LedgerEntry entry(ResultSet row) throws SQLException {
    return new LedgerEntry(intent(row), instant(row, "recorded_at"), outcome(row));
  }

  public static Intent intent(ResultSet row) throws SQLException {
    return new Intent(
        serialNumber(row),
        TbsCertificateDer.of(row.getBytes("tbs")),
        SignatureAlgorithm.valueOf(row.getString("signature_algorithm")),
        new Intent.Origin(
            new RequesterId(row.getString("requester")),
            new ProfileName(row.getString("profile")),
            new IssuerName(row.getString("issuer")),
            profileVersion(row)),
        Optional.ofNullable(row.getString("idempotency_key")).map(IdempotencyKey::new),
        OctetString.copyOf(row.getBytes("payload_hash")));
  }

  private static OptionalInt profileVersion(ResultSet row) throws SQLException {
    @Nullable Integer version = row.getObject("profile_version", Integer.class);
    return version == null ? OptionalInt.empty() : OptionalInt.of(version);
  }

  public static Optional<Outcome> outcome(ResultSet row) throws SQLException {
    @Nullable String kind = row.getString("kind");
    return switch (kind) {
      case null -> Optional.empty();
      case ISSUED -> Optional.of(new Outcome.Issued(OctetString.copyOf(row.getBytes("signature"))));
      case ABANDONED ->
          Optional.of(
              new Outcome.Abandoned(
                  Outcome.Reason.valueOf(row.getString("reason")), row.getBoolean("maybe_signed")));
      default -> throw new SQLException("outcome of unknown kind " + kind);
    };
  }

  public static SerialNumber serialNumber(ResultSet row) throws SQLException {
    return SerialNumber.of(row.getBytes("serial"));
  }

  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  public static String kind(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Issued issued -> ISSUED;
      case Outcome.Abandoned abandoned -> ABANDONED;
    };
  }

  public static byte @Nullable [] signature(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Issued(OctetString signature) -> signature.octets();
      case Outcome.Abandoned abandoned -> null;
    };
  }

  public static @Nullable String reason(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Issued issued -> null;
      case Outcome.Abandoned abandoned -> abandoned.reason().name();
    };
  }

  public static @Nullable Boolean maybeSigned(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Issued issued -> null;
      case Outcome.Abandoned abandoned -> abandoned.maybeSigned();
    };
  }
}
