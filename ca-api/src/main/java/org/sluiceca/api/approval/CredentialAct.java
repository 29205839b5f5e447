package org.sluiceca.api.approval;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.ledger.CredentialStore;
import org.sluiceca.api.ledger.CredentialStore.NewCredential;
import org.sluiceca.api.ledger.RegisteredCredential.Grant;
import org.sluiceca.api.ledger.RegisteredCredential.Kind;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.databind.JsonNode;

/** Registers an administrator's or officer's credential that a second person has approved. */
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

  /** Returns whether a registration is one that may be held back. */
  public static boolean isMeant(NewCredential credential) {
    return credential.grant().roles().contains(Role.ADMIN)
        || credential.grant().roles().contains(Role.OFFICER);
  }

  /**
   * Returns whether a second person may approve it: only the holder's own key. A token is known to
   * who asks for it, who would then be two requesters.
   */
  public static boolean isApprovable(NewCredential credential) {
    return credential.kind() == Kind.CERTIFICATE;
  }

  /**
   * Returns what is granted to whom, until which second: the database keeps less than Java's clock
   * tells, and what was registered must equal what was approved.
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
    boolean isApprovable = isApprovable(wanted);
    if (isApprovable) {
      trail.recordDurably(fact(askedBy, wanted));
      credentials.insert(wanted);
    }
    // By this approval, now or before (a token too, by a node of a former version), or otherwise.
    return credentials
        .find(wanted.kind(), wanted.sha256())
        .filter(c -> c.requester().equals(wanted.requester()) && c.grant().equals(wanted.grant()))
        .map(c -> Result.done("/v1/credentials/" + c.id()))
        .orElseGet(
            () ->
                Result.failed(
                    isApprovable
                        ? "this key is registered otherwise already"
                        : "who has asked for a token knows it: ask with a client certificate"));
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
