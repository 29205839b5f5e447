package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** Whatever a client sends, a fact about it has a maximum length and can be written. */
class FactBoundsTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00Z");

  /** As many as an HTTP head holds, with what JSON escapes and what no database holds. */
  private static final String HOSTILE = "\u0000\"\\\uD800é\u202e".repeat(2_500);

  @ParameterizedTest
  @EnumSource(AuditKind.class)
  void event_hostileTextsOfEveryKind_writtenWithinTheBound(AuditKind kind) {
    Fact fact =
        new Fact(
            kind,
            HOSTILE,
            Map.of(
                "text",
                HOSTILE,
                "list",
                Collections.nCopies(5_000, HOSTILE),
                "map",
                Map.of(HOSTILE, Map.of("deep", HOSTILE)),
                "number",
                Long.MAX_VALUE,
                "truth",
                true));

    AuditEvent event = fact.event(AT, Long.MAX_VALUE);

    assertThat(event.actor()).isEqualTo(AuditEvent.UNKNOWN_ACTOR);
    assertThat(event.content().getBytes(StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(
            (kind.isDenial() ? Fact.Bounds.DENIAL_OCTETS_MAX : Fact.Bounds.OCTETS_MAX) + 64);
    assertThat(event.content()).contains("\"number\":9223372036854775807").contains("characters)");
  }

  @Test
  void details_atTheMaximum_unchangedAndOneMore_cut() {
    String longest = "x".repeat(Fact.Bounds.DENIAL_CHARACTERS_MAX);

    assertThat(denied(longest).details()).containsEntry("reason", longest);
    assertThat(denied(longest + "x").details())
        .containsEntry("reason", longest + "… (201 characters)");
  }

  /** What security relies on is long by right: an issuer's chain in an approval stays whole. */
  @Test
  void details_longTextOfAnApproval_unchanged() {
    String chain = "A".repeat(14_000);

    assertThat(
            new Fact(AuditKind.APPROVAL_ASK, "admin", Map.of("content", chain))
                .details()
                .get("content"))
        .isEqualTo(chain);
  }

  private static Fact denied(String reason) {
    return new Fact(AuditKind.LOGIN_FAILED, AuditEvent.UNKNOWN_ACTOR, Map.of("reason", reason));
  }

  /** Every event of the issuance path, with hostile text wherever its type lets text in. */
  @Test
  void accept_everyEventWithHostileText_rowsWithinTheBound() {
    List<AuditRow> rows = new CopyOnWriteArrayList<>();
    AuditTrail trail = new AuditTrail("node-0.1", rows::addAll, () -> AT);
    AuditSink sink = new AuditSink(trail);

    events().forEach(sink::accept);
    trail.start();
    trail.close();

    assertThat(trail.isWriting()).isFalse();
    assertThat(trail.failures()).isZero();
    assertThat(rows).hasSizeGreaterThan(10);
    assertThat(rows)
        .allSatisfy(
            row -> assertThat(row.content().length()).isLessThan(AuditEvent.CONTENT_OCTETS_MAX));
    assertThat(rows.stream().filter(row -> row.kind().equals("request.shed")))
        .allSatisfy(row -> assertThat(row.content().length()).isLessThan(1_000));
  }

  private static Stream<CaEvent> events() {
    return Stream.of(CaEvent.class.getPermittedSubclasses()).map(FactBoundsTest::event);
  }

  private static CaEvent event(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new);
    Object[] values = Stream.of(components).map(FactBoundsTest::value).toArray();
    try {
      var constructor = type.getDeclaredConstructor(types);
      return (CaEvent) constructor.newInstance(values);
    } catch (NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  /** A type that is not here is a new way for values into the trail: give it a bound first. */
  private static Object value(RecordComponent component) {
    SerialNumber serialNumber =
        SerialNumber.compose(new ExpiryWeek(3000), new byte[SerialNumber.RANDOM_OCTETS]);
    return switch (component.getType().getSimpleName()) {
      case "String" -> HOSTILE;
      case "List" ->
          component.getName().equals("serialNumbers")
              ? Collections.nCopies(500, serialNumber)
              : new ArrayList<>(List.of(HOSTILE));
      case "int" -> 1;
      case "long" -> 1L;
      case "boolean" -> true;
      case "Instant" -> AT;
      case "UUID" -> new UUID(1, 2);
      case "OptionalLong" -> OptionalLong.of(1);
      case "RequesterId" -> new RequesterId("r".repeat(64));
      case "ProfileName" -> new ProfileName("p".repeat(40));
      case "IssuerName" -> new IssuerName("issuing");
      case "SerialNumber" -> serialNumber;
      case "Lane" -> Lane.BULK;
      case "Reason" -> Rejection.Reason.LINT;
      case "RevocationReason" -> RevocationReason.KEY_COMPROMISE;
      case "SignatureAlgorithm" -> SignatureAlgorithm.ED25519;
      case "CertificateDer" -> CertificateDer.of(new byte[] {0x30, 0});
      default -> throw new AssertionError("no bound is known for " + component);
    };
  }
}
