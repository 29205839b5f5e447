package org.sluiceca.api.registration.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.support.SqlArrayValue;

/** Requests as the table certificate_request has them, and the forms of its values. */
final class RequestRow {

  /** The columns that {@link #request} reads. */
  static final String COLUMNS =
      "id, endpoint, requester, actor, profile, identifiers, created_at, expires_at,"
          + " replaces, has_proofs, csr, serial, refusal, refusal_detail";

  private RequestRow() {}

  /** Of a request without a CSR the state is that its names are proven. */
  static CertificateRequest request(ResultSet row, int number) throws SQLException {
    return new CertificateRequest(
        id(row, "id"),
        new EndpointName(row.getString("endpoint")),
        new RequesterId(row.getString("requester")),
        id(row, "actor"),
        new ProfileName(row.getString("profile")),
        identifiers(row),
        LedgerColumns.instant(row, "created_at"),
        LedgerColumns.instant(row, "expires_at"),
        Optional.ofNullable(row.getBytes("replaces")).map(SerialNumber::of),
        state(row));
  }

  private static RequestState state(ResultSet row) throws SQLException {
    byte @Nullable [] serial = row.getBytes("serial");
    String refusal = row.getString("refusal");
    byte @Nullable [] csr = row.getBytes("csr");
    if (csr == null) {
      return new RequestState.Ready();
    }
    CsrDer sent = CsrDer.of(csr);
    if (serial != null) {
      return new RequestState.Recorded(sent, SerialNumber.of(serial));
    }
    if (refusal != null) {
      return new RequestState.Refused(
          sent,
          new Refusal(
              Refusal.Kind.valueOf(refusal.toUpperCase(Locale.ROOT)),
              row.getString("refusal_detail")));
    }
    return new RequestState.Finalized(sent);
  }

  private static List<Identifier> identifiers(ResultSet row) throws SQLException {
    return Arrays.stream((String[]) row.getArray("identifiers").getArray())
        .map(
            text -> {
              int colon = text.indexOf(':');
              return Identifier.parse(text.substring(0, colon), text.substring(colon + 1))
                  .orElseThrow(
                      () -> new IllegalStateException("the database's own identifier is none"));
            })
        .toList();
  }

  static SqlArrayValue texts(List<Identifier> identifiers) {
    return new SqlArrayValue(
        "text", identifiers.stream().map(i -> i.type() + ":" + i.value()).toArray());
  }

  static RegistrationId id(ResultSet row, String column) throws SQLException {
    return new RegistrationId(OctetString.copyOf(row.getBytes(column)));
  }

  static byte[] octets(RegistrationId id) {
    return id.octets().octets();
  }

  static OffsetDateTime time(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
