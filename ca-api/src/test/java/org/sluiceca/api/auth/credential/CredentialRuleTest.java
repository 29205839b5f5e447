package org.sluiceca.api.auth.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.api.auth.credential.CredentialRule.Verdict;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.IdentityHistory;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/** Who may register what for whom, where two people are needed. */
class CredentialRuleTest {

  private static final RequesterId ALICE = new RequesterId("alice");
  private static final RequesterId BOB = new RequesterId("bob");

  private static final IdentityHistory NEW = new IdentityHistory(false, false, false, false, false);
  private static final IdentityHistory ORDINARY =
      new IdentityHistory(true, false, false, false, true);
  private static final IdentityHistory ORDINARY_ENDED =
      new IdentityHistory(true, false, false, false, false);
  private static final IdentityHistory ADMIN = new IdentityHistory(true, true, true, true, false);
  private static final IdentityHistory OFFICER =
      new IdentityHistory(true, true, false, true, false);
  private static final IdentityHistory FORMER_ADMIN =
      new IdentityHistory(true, true, false, false, false);

  private static NewCredential forBob(Kind kind, Role... roles) {
    return new NewCredential(
        BOB,
        kind,
        OctetString.copyOf(new byte[32]),
        new Grant(Set.of(roles), Set.of(), Instant.parse("2027-01-31T12:00:00Z")));
  }

  private static Verdict byAlice(IdentityHistory history, Role... roles) {
    return CredentialRule.judge(forBob(Kind.CERTIFICATE, roles), history, ALICE);
  }

  @Test
  void judge_newIdWithoutPrivilege_alone() {
    assertThat(byAlice(NEW, Role.REQUESTER, Role.AUDITOR)).isEqualTo(new Verdict.Alone());
  }

  @Test
  void judge_newAdministratorOrOfficer_twoPeopleAndNoToken() {
    assertThat(byAlice(NEW, Role.ADMIN)).isEqualTo(new Verdict.TwoPeople(false));
    assertThat(byAlice(NEW, Role.AUDITOR, Role.OFFICER)).isEqualTo(new Verdict.TwoPeople(false));
  }

  /** The id is a machine's or a person's already: another credential acts in its name. */
  @Test
  void judge_knownId_twoPeopleAndATokenMay() {
    assertThat(byAlice(ORDINARY, Role.REQUESTER)).isEqualTo(new Verdict.TwoPeople(true));
    assertThat(byAlice(ORDINARY_ENDED, Role.REQUESTER)).isEqualTo(new Verdict.TwoPeople(true));
  }

  /** Planted before: any role but two went through, and the trail named the other administrator. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void judge_anotherAdministratorsId_forbiddenWhateverTheRole(Role role) {
    assertThat(byAlice(ADMIN, role)).isInstanceOf(Verdict.Forbidden.class);
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void judge_ownIdOfAnAdministrator_twoPeople(Role role) {
    assertThat(CredentialRule.judge(forBob(Kind.CERTIFICATE, role), ADMIN, BOB))
        .isEqualTo(new Verdict.TwoPeople(false));
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void judge_officersOrFormerAdministratorsId_twoPeopleAndNoToken(Role role) {
    assertThat(byAlice(OFFICER, role)).isEqualTo(new Verdict.TwoPeople(false));
    assertThat(byAlice(FORMER_ADMIN, role)).isEqualTo(new Verdict.TwoPeople(false));
  }

  /** The other order: first an ordinary credential that alice keeps, then bob gets his role. */
  @Test
  void judge_privilegeForAnIdWithOrdinaryCredentials_contradicted() {
    assertThat(byAlice(ORDINARY, Role.ADMIN)).isInstanceOf(Verdict.Contradicted.class);
    assertThat(byAlice(ORDINARY, Role.OFFICER)).isInstanceOf(Verdict.Contradicted.class);
    assertThat(byAlice(ORDINARY_ENDED, Role.ADMIN)).isEqualTo(new Verdict.TwoPeople(false));
  }

  @Test
  void isApprovable_tokens_onlyOfOrdinaryIds() {
    NewCredential token = forBob(Kind.TOKEN, Role.REQUESTER);

    assertThat(CredentialRule.isApprovable(token, ORDINARY, ALICE)).isTrue();
    assertThat(CredentialRule.isApprovable(token, OFFICER, ALICE)).isFalse();
    assertThat(CredentialRule.isApprovable(token, ADMIN, ALICE)).isFalse();
    assertThat(CredentialRule.isApprovable(token, ADMIN, BOB)).isFalse();
    assertThat(CredentialRule.isApprovable(forBob(Kind.TOKEN, Role.ADMIN), NEW, ALICE)).isFalse();
    assertThat(CredentialRule.isApprovable(forBob(Kind.CERTIFICATE, Role.ADMIN), NEW, ALICE))
        .isTrue();
  }
}
