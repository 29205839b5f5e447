package org.sluiceca.api.approval.config;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.approval.ApprovalAction;

/** Which settings hold nothing back, though they look as if they did. */
class ApprovalConfigurationTest {

  @Test
  void requireWhole_withoutCredentials_refused() {
    assertThatNoException().isThrownBy(() -> ApprovalConfiguration.requireWhole(Set.of()));
    assertThatNoException()
        .isThrownBy(
            () -> ApprovalConfiguration.requireWhole(Set.of(ApprovalAction.CREDENTIAL_ADMIN)));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ApprovalConfiguration.requireWhole(Set.of(ApprovalAction.PROFILE_ACTIVATION)))
        .withMessageContaining("credential-admin");
  }
}
