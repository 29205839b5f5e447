package org.sluiceca.api.issuer.store;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The issuers of this CA. Thread-safe; every method blocks for at most a few seconds and throws
 * {@link LedgerUnavailable} if the database does not answer.
 */
public final class IssuerStore {

  private static final String SELECT =
      """
      SELECT i.name, i.subject_public_key_info, coalesce(c.certificate, i.certificate) AS certificate,
        coalesce(c.chain, i.chain) AS chain, i.cka_id, i.key_algorithm, i.token_label, i.state,
        i.installed_by, i.certificate AS first, coalesce(c.number, 0) AS renewals, i.created_at
      FROM issuer i LEFT JOIN LATERAL (
        SELECT number, certificate, chain FROM issuer_certificate
        WHERE issuer = i.name ORDER BY number DESC LIMIT 1) c ON true
      """;

  private static final String INSERT =
      """
      INSERT INTO issuer (name, subject_public_key_info, certificate, chain, cka_id, key_algorithm,
        token_label, state, installed_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?)
      ON CONFLICT (name) DO NOTHING
      """;

  private static final String RENEW =
      """
      INSERT INTO issuer_certificate (issuer, number, certificate, chain, added_by)
      SELECT name, ?, ?, ?, ? FROM issuer WHERE name = ? AND state = 'active'
      ON CONFLICT (issuer, number) DO NOTHING
      """;

  private static final String FIND = SELECT + "WHERE i.name = ?";

  private static final String LIST = SELECT + "ORDER BY i.name LIMIT ?";

  /** Rows are never deleted, so what changes moves a number or is another name. */
  private static final String EXTENT =
      """
      SELECT count(*) AS issuers, coalesce(array_agg(name ORDER BY name) FILTER (WHERE state = 'retired'), '{}') AS retired,
        (SELECT count(*) FROM issuer_certificate) AS renewals
      FROM issuer
      """;

  /** Two that each leave the other as the last, or have one subject, must not pass one another. */
  private static final String LOCK = "LOCK TABLE issuer IN SHARE ROW EXCLUSIVE MODE";

  private static final String RETIRE =
      "UPDATE issuer SET state = 'retired' WHERE name = ? AND state = 'active'";

  private static final String RETIRE_UNLESS_LAST =
      RETIRE
          + """
           AND EXISTS (SELECT FROM issuer
                       WHERE name <> ? AND state = 'active' AND cardinality(chain) > 0)
          """;

  /** A CA has a handful of issuers; 1,000 would be one a day for three years. */
  private static final int LIST_MAX = 1000;

  private final LedgerSql sql;

  /** Retired by this process, and what replaces their certificates is not recorded yet. */
  private final Set<IssuerName> unreplaced = ConcurrentHashMap.newKeySet();

  /** Keeps issuers in a database that was migrated. */
  public IssuerStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** A new issuer; see {@link RegisteredIssuer}. */
  public record NewIssuer(
      IssuerName name,
      OctetString subjectPublicKeyInfo,
      CertificateDer certificate,
      List<CertificateDer> chain,
      RegisteredIssuer.Key key) {

    public NewIssuer {
      chain = List.copyOf(chain);
    }
  }

  /**
   * How much there is.
   *
   * @param retired their names, in order: a count would be the same again if an operator took one
   *     back by hand and another were retired
   * @param renewals certificates after an issuer's first
   */
  public record Extent(long issuers, List<String> retired, long renewals) {

    public Extent {
      retired = List.copyOf(retired);
    }
  }

  /**
   * Registers an active issuer that the ceremony has made; returns false, changing nothing, if the
   * name is taken.
   */
  public boolean insert(NewIssuer issuer) {
    return sql.run(
        "issuer " + issuer.name() + " cannot be registered", jdbc -> insert(jdbc, issuer, null));
  }

  /**
   * Registers an active issuer that an administrator installs next to the existing ones. Returns
   * false, changing nothing, if the name is taken or {@code isGoodBeside} returns false. No issuer
   * comes or goes between that test and the registration.
   *
   * @param isGoodBeside receives all existing issuers; must not block
   */
  public boolean insertBy(
      NewIssuer issuer, RequesterId by, Predicate<List<RegisteredIssuer>> isGoodBeside) {
    return sql.transaction(
        "issuer " + issuer.name() + " cannot be registered",
        jdbc -> {
          int _ = jdbc.sql(LOCK).update();
          return isGoodBeside.test(list(jdbc)) && insert(jdbc, issuer, by);
        });
  }

  private static boolean insert(JdbcClient jdbc, NewIssuer issuer, @Nullable RequesterId by) {
    return jdbc.sql(INSERT)
            .params(issuer.name().value(), issuer.subjectPublicKeyInfo().octets())
            .params(issuer.certificate().encoded(), array(issuer.chain()))
            .params(issuer.key().ckaId().octets(), issuer.key().algorithm())
            .param(issuer.key().tokenLabel())
            .param(new SqlParameterValue(Types.VARCHAR, by == null ? null : by.value()))
            .update()
        == 1;
  }

  /**
   * Has another certificate of an issuer's name and key count; returns false, changing nothing, if
   * it is not active or another certificate came since {@code present} was read.
   *
   * @param certificates the new one, then those above it, trust anchor last
   * @param by a requester, or the person who held the ceremony; 64 characters at most
   */
  public boolean renew(RegisteredIssuer present, List<CertificateDer> certificates, String by) {
    return sql.run(
        "issuer " + present.name() + " cannot be renewed",
        jdbc ->
            jdbc.sql(RENEW)
                    .param(present.origin().renewals() + 1)
                    .param(certificates.getFirst().encoded())
                    .param(array(certificates.subList(1, certificates.size())))
                    .params(by, present.name().value())
                    .update()
                == 1);
  }

  /** Returns how much there is: what was read before holds as long as this does not change. */
  public Extent extent() {
    return sql.run(
        "the issuers cannot be read",
        jdbc ->
            jdbc.sql(EXTENT)
                .query(
                    (row, number) ->
                        new Extent(
                            row.getLong("issuers"),
                            List.of((String[]) row.getArray("retired").getArray()),
                            row.getLong("renewals")))
                .single());
  }

  /** Returns the issuer of this name, active or retired. */
  public Optional<RegisteredIssuer> find(IssuerName name) {
    return sql.run(
        "issuer " + name + " cannot be read",
        jdbc -> jdbc.sql(FIND).param(name.value()).query(IssuerStore::issuer).optional());
  }

  /** Returns the issuers by name, active and retired. */
  public List<RegisteredIssuer> list() {
    return sql.run("the issuers cannot be read", IssuerStore::list);
  }

  private static List<RegisteredIssuer> list(JdbcClient jdbc) {
    return List.copyOf(jdbc.sql(LIST).param(LIST_MAX).query(IssuerStore::issuer).list());
  }

  /** Retires an issuer for good; returns false if no active one has this name. */
  public boolean retire(IssuerName name) {
    return sql.run(
        "issuer " + name + " cannot be retired",
        jdbc -> jdbc.sql(RETIRE).param(name.value()).update() == 1);
  }

  private enum Retirement {
    NONE,
    RECORDED,
    UNRECORDED
  }

  /**
   * The same, unless no active issuer but roots would be left; returns false, changing nothing, if
   * so, or if no active one has this name. From then on its certificates are to be replaced; if
   * that cannot be recorded, {@link #recordReplacements} does it later.
   */
  public boolean retireUnlessLast(IssuerName name) {
    Retirement made =
        sql.transaction(
            "issuer " + name + " cannot be retired",
            jdbc -> {
              int _ = jdbc.sql(LOCK).update();
              if (jdbc.sql(RETIRE_UNLESS_LAST).params(name.value(), name.value()).update() == 0) {
                return Retirement.NONE;
              }
              return ReplacementStore.recordRetirement(jdbc, name)
                  ? Retirement.RECORDED
                  : Retirement.UNRECORDED;
            });
    if (made == Retirement.UNRECORDED) {
      unreplaced.add(name);
    }
    return made != Retirement.NONE;
  }

  /**
   * Records, of the issuers that {@link #retireUnlessLast} has retired in this process, the
   * replacements that could not be recorded then. What fails again is left for the next call.
   */
  public void recordReplacements() {
    unreplaced.removeIf(
        name ->
            sql.transaction(
                "the replacement of issuer " + name + " cannot be recorded",
                jdbc -> ReplacementStore.recordRetirement(jdbc, name)));
  }

  private static RegisteredIssuer issuer(ResultSet row, int number) throws SQLException {
    return new RegisteredIssuer(
        new IssuerName(row.getString("name")),
        OctetString.copyOf(row.getBytes("subject_public_key_info")),
        CertificateDer.of(row.getBytes("certificate")),
        certificates(row.getArray("chain")),
        new RegisteredIssuer.Key(
            OctetString.copyOf(row.getBytes("cka_id")),
            row.getString("key_algorithm"),
            row.getString("token_label")),
        RegisteredIssuer.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        new RegisteredIssuer.Origin(
            Optional.ofNullable(row.getString("installed_by")).map(RequesterId::new),
            CertificateDer.of(row.getBytes("first")),
            row.getInt("renewals"),
            LedgerColumns.instant(row, "created_at")));
  }

  private static SqlArrayValue array(List<CertificateDer> certificates) {
    // The driver wants octets as byte[][], not as an Object[] of byte[].
    Object[] octets = certificates.stream().map(CertificateDer::encoded).toArray(byte[][]::new);
    return new SqlArrayValue("bytea", octets);
  }

  private static List<CertificateDer> certificates(Array array) throws SQLException {
    return Arrays.stream((byte[][]) array.getArray()).map(CertificateDer::of).toList();
  }
}
