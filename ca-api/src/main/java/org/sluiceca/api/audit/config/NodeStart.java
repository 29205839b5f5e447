package org.sluiceca.api.audit.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.config.CaProperties;
import org.sluiceca.api.platform.ProductVersion;
import org.sluiceca.api.profile.version.ProfileActive;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;

/** The facts that a chain begins with: comparing two starts shows what was changed in between. */
final class NodeStart {

  private NodeStart() {}

  /**
   * The software, and a digest of every setting below {@code sluice.}: secrets are not among them,
   * for they are named by file.
   */
  static Fact started(CaProperties properties, boolean hasAuditKey) {
    return new Fact(
        AuditKind.NODE_STARTED,
        AuditEvent.UNKNOWN_ACTOR,
        Map.of(
            "node", properties.nodeName(),
            "version", ProductVersion.running(),
            "java", Runtime.version().toString(),
            "configuration", Digest.ofText(properties.toString()),
            "auditKey", hasAuditKey));
  }

  /** Each issuer and profile with which the node begins to issue. */
  static List<Fact> active(IssuerCatalog issuers, ProfileCatalog profiles) {
    List<Fact> facts = new ArrayList<>();
    for (Issuer issuer : issuers.all()) {
      facts.add(
          new Fact(
              AuditKind.ISSUER_ACTIVE,
              AuditEvent.UNKNOWN_ACTOR,
              Map.of(
                  "issuer",
                  issuer.name().value(),
                  "certificate",
                  Digest.sha256(issuer.chain().getFirst().encoded()).toString())));
    }
    for (CertificateProfile profile : profiles.all()) {
      facts.add(ProfileActive.fact(profile));
    }
    return facts;
  }
}
