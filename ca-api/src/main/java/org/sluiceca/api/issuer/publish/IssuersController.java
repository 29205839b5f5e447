package org.sluiceca.api.issuer.publish;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.http.publish.EntityTags;
import org.sluiceca.api.http.publish.Publication;
import org.sluiceca.api.issuer.StatusIssuers;
import org.sluiceca.api.issuer.service.IssuerBody;
import org.sluiceca.api.issuer.service.IssuerStates;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The issuers' public side: listings, chains, and the certificate that AIA points to. */
@RestController
final class IssuersController {

  /**
   * They change when an issuer is renewed; relying parties ask again and again (RFC 9111 5.2.2.1).
   */
  private static final Duration CACHED_MAX = Duration.ofHours(1);

  private static final CacheControl CACHED = CacheControl.maxAge(CACHED_MAX).cachePublic();

  private final IssuerStates states;

  /** Certificates that name a retired issuer are verified until they end. */
  private final StatusIssuers all;

  private final InstantSource clock;

  IssuersController(IssuerStates states, StatusIssuers all, InstantSource clock) {
    this.states = states;
    this.all = all;
    this.clock = clock;
  }

  /** Those that this node issues under; {@code state=all}: what else is or was there, too. */
  @GetMapping("/v1/issuers")
  List<IssuerBody> list(@RequestParam(required = false) @Nullable String state) {
    if (state != null && !state.equals("all")) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "state can be all, or be left out");
    }
    return states.list().stream()
        .filter(position -> state != null || position.isInService())
        .map(IssuerBody::of)
        .toList();
  }

  @GetMapping("/v1/issuers/{name}")
  IssuerBody one(@PathVariable String name) {
    return states.find(nameOf(name)).map(IssuerBody::of).orElseThrow(IssuersController::unknown);
  }

  /** The issuer's certificate and those above it, trust anchor last. */
  @GetMapping("/v1/issuers/{name}/chain.pem")
  ResponseEntity<String> chain(@PathVariable String name) {
    return ResponseEntity.ok()
        .cacheControl(CACHED)
        .header("Content-Type", "application/pem-certificate-chain")
        .body(
            certificates(name).stream().map(CertificateAnswer::pem).collect(Collectors.joining()));
  }

  /** RFC 5280 4.2.2.1: one certificate, DER, as application/pkix-cert. */
  @GetMapping("/issuers/{name}.cer")
  void certificate(
      @PathVariable String name, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    OctetString certificate = OctetString.copyOf(certificates(name).getFirst().encoded());
    new Publication(
            "application/pkix-cert",
            EntityTags.of(certificate),
            Optional.empty(),
            CACHED_MAX,
            new Publication.Content.Octets(certificate))
        .write(request, response);
  }

  /**
   * Where other nodes have started again, certificates name what this one is yet to take up, or,
   * where that is retired by now, never will.
   */
  private List<CertificateDer> certificates(String name) {
    IssuerName issuer = nameOf(name);
    return all.catalog()
        .find(issuer)
        .map(Issuer::chain)
        .or(() -> states.published(issuer, clock.instant()))
        .orElseThrow(IssuersController::unknown);
  }

  private static IssuerName nameOf(String name) {
    if (!IssuerName.isValid(name)) {
      throw unknown();
    }
    return new IssuerName(name);
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "unknown issuer");
  }
}
