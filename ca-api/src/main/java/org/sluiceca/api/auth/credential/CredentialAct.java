package org.sluiceca.api.auth.credential;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.Insertion;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.databind.JsonNode;

/** Registers a credential that a second person has approved ({@link CredentialRule}). */
public final class CredentialAct implements ApprovedAct {

  private static final String REQUESTER = "requester";
  private static final String KIND = "kind";
  private static final String SHA256 = "sha256";
  private static final String ROLES = "roles";
  private static final String PROFILES = "profiles";
  private static final String EXPIRES_AT = "expiresAt";

  private final CredentialStore credentials;
  private final AuditTrail trail;

  /** Registers in {@code credentials}. */
  public CredentialAct(CredentialStore credentials, AuditTrail trail) {
    this.credentials = credentials;
    this.trail = trail;
  }

  @Override
  public ApprovalAction action() {
    return ApprovalAction.CREDENTIAL_ADMIN;
  }

  @Override
  public Optional<RequesterId> beneficiary(JsonNode content) {
    return Optional.of(parse(content).requester());
  }

  /**
   * Returns what is granted to whom, until which second: the database keeps less than Java's clock
   * knows, and what was registered must equal what was approved.
   */
  public static Map<String, Object> content(NewCredential credential) {
    Grant grant = credential.grant();
    return Map.of(
        REQUESTER, credential.requester().value(),
        KIND, credential.kind().name(),
        SHA256, credential.sha256().toString(),
        ROLES, grant.roles().stream().map(Enum::name).sorted().toList(),
        PROFILES, grant.profiles().stream().map(ProfileName::value).sorted().toList(),
        EXPIRES_AT, grant.expiresAt().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** What is recorded before a credential is registered. */
  public static Fact fact(RequesterId admin, NewCredential credential) {
    return new Fact(AuditKind.CREDENTIAL_REGISTER, admin.value(), content(credential));
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    NewCredential wanted = parse(content);
    // By this approval, before a crash, or by a node of a former version.
    Optional<Result> earlier = registered(wanted);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    // Judged again: other credentials of this id may have come since it was asked for.
    if (!CredentialRule.isApprovable(wanted, credentials.history(wanted.requester()), askedBy)) {
      return disallowed();
    }
    trail.recordDurably(fact(askedBy, wanted));
    return switch (credentials.insertIf(
        wanted, history -> CredentialRule.isApprovable(wanted, history, askedBy))) {
      case Insertion.Inserted inserted -> done(inserted.credential());
      case Insertion.KeyTaken taken ->
          registered(wanted)
              .orElseGet(() -> Result.failed("this key is registered otherwise already"));
      // A repeat after a crash may find that it is its own first that stands in the way.
      case Insertion.Disallowed not -> registered(wanted).orElseGet(CredentialAct::disallowed);
    };
  }

  private Optional<Result> registered(NewCredential wanted) {
    return credentials
        .find(wanted.kind(), wanted.sha256())
        .filter(c -> c.requester().equals(wanted.requester()) && c.grant().equals(wanted.grant()))
        .map(CredentialAct::done);
  }

  private static Result done(RegisteredCredential credential) {
    return Result.done("/v1/credentials/" + credential.id());
  }

  private static Result disallowed() {
    return Result.failed(
        "the requester has other credentials by now, or this one needs a client certificate of its"
            + " holder's own key: ask again, and the answer says what to do");
  }

  private static NewCredential parse(JsonNode content) {
    return new NewCredential(
        new RequesterId(content.path(REQUESTER).asString("")),
        Kind.valueOf(content.path(KIND).asString("")),
        OctetString.copyOf(HexFormat.of().parseHex(content.path(SHA256).asString(""))),
        new Grant(
            texts(content, ROLES).stream().map(Role::valueOf).collect(Collectors.toSet()),
            texts(content, PROFILES).stream().map(ProfileName::new).collect(Collectors.toSet()),
            Instant.parse(content.path(EXPIRES_AT).asString("")).truncatedTo(ChronoUnit.SECONDS)));
  }

  private static Set<String> texts(JsonNode content, String member) {
    return content.path(member).valueStream().map(v -> v.asString("")).collect(Collectors.toSet());
  }
}
