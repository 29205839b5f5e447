package org.sluiceca.api.profile.version;

import java.util.Map;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.profile.CertificateProfile;

/** The audit trail's fact about a profile under which a node issues from now on. */
public final class ProfileActive {

  private ProfileActive() {}

  /** Returns the fact: which version it is. */
  public static Fact fact(CertificateProfile profile) {
    return new Fact(
        AuditKind.PROFILE_ACTIVE,
        AuditEvent.UNKNOWN_ACTOR,
        Map.of(
            "profile", profile.name().value(),
            "version", profile.version().number(),
            "digest", profile.version().digest().toString()));
  }
}
