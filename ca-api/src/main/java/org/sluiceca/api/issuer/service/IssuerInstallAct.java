package org.sluiceca.api.issuer.service;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import tools.jackson.databind.JsonNode;

/**
 * Installs an issuer, or another certificate of one, that a second person has approved: judged
 * again when it is done. Thread-safe.
 */
public final class IssuerInstallAct implements ApprovedAct {

  /** Of all certificates together: what the content of an approval has room for, in base64. */
  public static final int OCTETS_MAX = 10_500;

  private static final String ISSUER = "issuer";
  private static final String KIND = "kind";
  private static final String INSTALL = "install";
  private static final String CERTIFICATES = "certificates";
  private static final String SHA256 = "sha256";

  private final IssuerAdministration issuers;

  /** Acts upon {@code issuers}. */
  public IssuerInstallAct(IssuerAdministration issuers) {
    this.issuers = issuers;
  }

  @Override
  public ApprovalAction action() {
    return ApprovalAction.ISSUER_INSTALL;
  }

  /**
   * Returns what is asked for: the certificates whole, and what a person compares; empty if they
   * are too long.
   */
  public static Optional<Map<String, Object>> content(IssuerWish.Certified wish) {
    List<CertificateDer> certificates = wish.certificates();
    if (certificates.stream().mapToInt(c -> c.encoded().length).sum() > OCTETS_MAX) {
      return Optional.empty();
    }
    TbsCertificate own =
        switch (wish) {
          case IssuerWish.Install install -> install.chain().own();
          case IssuerWish.Renew renew -> renew.chain().own();
        };
    Map<String, Object> content = new TreeMap<>();
    content.put(ISSUER, wish.name().value());
    content.put(KIND, wish instanceof IssuerWish.Install ? INSTALL : "renew");
    // An X.500 name has no bound of its own; the certificate says the rest.
    String subject = IssuerChain.subject(own);
    content.put("subject", subject.substring(0, Math.min(subject.length(), 300)));
    content.put("notAfter", own.validity().notAfter().toString());
    content.put("publicKey", Digest.sha256(own.subjectPublicKeyInfo().encoded()).toString());
    content.put(SHA256, IssuerAdministration.digests(certificates));
    content.put(
        CERTIFICATES,
        certificates.stream().map(c -> Base64.getEncoder().encodeToString(c.encoded())).toList());
    return Optional.of(content);
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    IssuerName name = new IssuerName(content.path(ISSUER).asString(""));
    List<CertificateDer> certificates = new ArrayList<>();
    content
        .path(CERTIFICATES)
        .valueStream()
        .forEach(
            c -> certificates.add(CertificateDer.of(Base64.getDecoder().decode(c.asString("")))));
    List<String> shown = content.path(SHA256).valueStream().map(d -> d.asString("")).toList();
    if (certificates.isEmpty() || !IssuerAdministration.digests(certificates).equals(shown)) {
      return Result.failed("the certificates are not those that were shown");
    }
    // Done by this approval before, perhaps by another node, it stands; not if it was renewed or
    // retired since.
    IssuerAnswer answer =
        content.path(KIND).asString("").equals(INSTALL)
            ? issuers.judgeInstall(name, certificates)
            : issuers.judgeRenewal(name, certificates);
    if (answer instanceof IssuerAnswer.Ready(IssuerWish wish)) {
      answer = issuers.carryOut(wish, askedBy);
    }
    return switch (answer) {
      case IssuerAnswer.Standing standing -> done(name);
      case IssuerAnswer.Unknown(String detail) -> Result.failed(detail);
      case IssuerAnswer.Invalid(String detail) -> Result.failed(detail);
      case IssuerAnswer.Contradicted(String detail) -> Result.failed(detail);
      case IssuerAnswer.Ready ready -> throw new IllegalStateException("not done");
    };
  }

  private static Result done(IssuerName name) {
    return Result.done("/v1/issuers/" + name);
  }
}
