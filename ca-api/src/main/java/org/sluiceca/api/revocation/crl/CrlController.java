package org.sluiceca.api.revocation.crl;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.http.publish.Publication;
import org.sluiceca.api.http.publish.Publication.Content;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /crl}: the newest CRL and delta CRL of each scope, DER, as application/pkix-crl (RFC 2585
 * 4.2).
 */
@RestController
final class CrlController {

  private static final String PKIX_CRL = "application/pkix-crl";

  /**
   * How late a cache on the way may make a revocation. Relying parties ask at nextUpdate anyhow.
   */
  private static final Duration CACHED_MAX = Duration.ofMinutes(1);

  /** A CRL that is missing or over is tried again all the time. */
  private static final Duration RETRY = Duration.ofSeconds(10);

  private static final Pattern SHARD = Pattern.compile("[1-9][0-9]{0,3}");

  private final CrlFolder folder;
  private final OfferedCrls offered;
  private final InstantSource clock;

  CrlController(CrlFolder folder, OfferedCrls offered, InstantSource clock) {
    this.folder = folder;
    this.offered = offered;
    this.clock = clock;
  }

  @GetMapping("/crl/{issuer}.crl")
  void complete(
      @PathVariable String issuer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    publication(CrlName.complete(scope(issuer, 0))).write(request, response);
  }

  @GetMapping("/crl/{issuer}/delta.crl")
  void delta(@PathVariable String issuer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    publication(CrlName.delta(scope(issuer, 0))).write(request, response);
  }

  @GetMapping("/crl/{issuer}/{shard}.crl")
  void shard(
      @PathVariable String issuer,
      @PathVariable String shard,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    publication(CrlName.complete(scope(issuer, number(shard)))).write(request, response);
  }

  @GetMapping("/crl/{issuer}/{shard}-delta.crl")
  void shardDelta(
      @PathVariable String issuer,
      @PathVariable String shard,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    publication(CrlName.delta(scope(issuer, number(shard)))).write(request, response);
  }

  private static int number(String shard) {
    // As it stands in certificates: 01 would be another URI.
    if (!SHARD.matcher(shard).matches()) {
      throw unknown();
    }
    return Integer.parseInt(shard);
  }

  /** Returns the newest of a name, as it is served now. */
  Publication publication(CrlName name) {
    PublishedCrl crl = folder.find(name).orElseThrow(() -> missing(name));
    Instant now = clock.instant();
    if (!crl.nextUpdate().isAfter(now)) {
      throw new ProblemException(
          ProblemType.CRL_UNAVAILABLE,
          "the newest CRL is past its nextUpdate " + crl.nextUpdate(),
          RETRY,
          null);
    }
    Duration left = Duration.between(now, crl.nextUpdate());
    return new Publication(
        PKIX_CRL,
        "\"" + crl.number() + "\"",
        Optional.of(crl.issuedAt()),
        left.compareTo(CACHED_MAX) < 0 ? left : CACHED_MAX,
        new Content.InFile(crl.file(), crl.octets()));
  }

  private static CrlScope scope(String issuer, int shard) {
    try {
      return new CrlScope(new IssuerName(issuer), shard);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  /** A client with a certificate that names it will ask again; others have none. */
  private ProblemException missing(CrlName name) {
    return offered.isOffered(name)
        ? new ProblemException(
            ProblemType.CRL_UNAVAILABLE,
            "no CRL of this issuer has been made yet, or it has not reached this node",
            RETRY,
            null)
        : unknown();
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "there is no such CRL");
  }
}
