package org.sluiceca.api.rest;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.problem.ProblemException;
import org.sluiceca.api.problem.ProblemType;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The issuers' public side: listings, chains, and the certificate that AIA points to. */
@RestController
final class IssuersController {

  /** The JSON form of an issuer. */
  record IssuerBody(
      String name,
      String subject,
      String notBefore,
      String notAfter,
      String keyAlgorithm,
      String signatureAlgorithm,
      String certificate,
      String chain) {}

  /** They change only by a ceremony; relying parties ask again and again (RFC 9111 5.2.2.1). */
  private static final CacheControl CACHED = CacheControl.maxAge(Duration.ofHours(1)).cachePublic();

  private final IssuerCatalog issuers;

  /** Certificates that name a retired issuer are verified until they end. */
  private final StatusIssuers all;

  IssuersController(IssuerCatalog issuers, StatusIssuers all) {
    this.issuers = issuers;
    this.all = all;
  }

  @GetMapping("/v1/issuers")
  List<IssuerBody> list() {
    return issuers.all().stream().map(IssuersController::body).toList();
  }

  /** The issuer's certificate and those above it, trust anchor last. */
  @GetMapping("/v1/issuers/{name}/chain.pem")
  ResponseEntity<String> chain(@PathVariable String name) {
    return ResponseEntity.ok()
        .cacheControl(CACHED)
        .header("Content-Type", "application/pem-certificate-chain")
        .body(
            find(name).chain().stream().map(CertificateAnswer::pem).collect(Collectors.joining()));
  }

  /** RFC 5280 4.2.2.1: one certificate, DER, as application/pkix-cert. */
  @GetMapping("/issuers/{name}.cer")
  ResponseEntity<byte[]> certificate(@PathVariable String name) {
    return ResponseEntity.ok()
        .cacheControl(CACHED)
        .header("Content-Type", "application/pkix-cert")
        .body(find(name).chain().getFirst().encoded());
  }

  private Issuer find(String name) {
    try {
      return all.catalog()
          .find(new IssuerName(name))
          .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "unknown issuer"));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.NOT_FOUND, "unknown issuer");
    }
  }

  private static IssuerBody body(Issuer issuer) {
    String subject;
    try {
      subject = NameCodec.read(issuer.subject()).toString();
    } catch (DerException e) {
      // An external root may use attribute types that this CA does not certify.
      subject = "";
    }
    return new IssuerBody(
        issuer.name().value(),
        subject,
        issuer.validity().notBefore().toString(),
        issuer.validity().notAfter().toString(),
        issuer.subjectPublicKeyInfo().key().algorithm().name(),
        issuer.signatureAlgorithm().name(),
        CertificateAnswer.pem(issuer.chain().getFirst()),
        "/v1/issuers/" + issuer.name() + "/chain.pem");
  }
}
