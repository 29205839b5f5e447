package org.sluiceca.api.crl;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Pattern;
import org.sluiceca.api.problem.ProblemException;
import org.sluiceca.api.problem.ProblemType;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /crl}: the newest CRL and delta CRL of each scope, DER, as application/pkix-crl (RFC 2585
 * 4.2).
 */
@RestController
final class CrlController {

  private static final MediaType PKIX_CRL = MediaType.valueOf("application/pkix-crl");

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
  ResponseEntity<Resource> complete(@PathVariable String issuer) {
    return answer(CrlName.complete(scope(issuer, 0)));
  }

  @GetMapping("/crl/{issuer}/delta.crl")
  ResponseEntity<Resource> delta(@PathVariable String issuer) {
    return answer(CrlName.delta(scope(issuer, 0)));
  }

  @GetMapping("/crl/{issuer}/{shard}.crl")
  ResponseEntity<Resource> shard(@PathVariable String issuer, @PathVariable String shard) {
    return answer(CrlName.complete(scope(issuer, number(shard))));
  }

  @GetMapping("/crl/{issuer}/{shard}-delta.crl")
  ResponseEntity<Resource> shardDelta(@PathVariable String issuer, @PathVariable String shard) {
    return answer(CrlName.delta(scope(issuer, number(shard))));
  }

  private static int number(String shard) {
    // As it stands in certificates: 01 would be another URI.
    if (!SHARD.matcher(shard).matches()) {
      throw unknown();
    }
    return Integer.parseInt(shard);
  }

  private ResponseEntity<Resource> answer(CrlName name) {
    PublishedCrl crl = folder.find(name).orElseThrow(() -> missing(name));
    Instant now = clock.instant();
    if (!crl.nextUpdate().isAfter(now)) {
      throw new ProblemException(
          ProblemType.CRL_UNAVAILABLE, "the last one ended at " + crl.nextUpdate(), RETRY, null);
    }
    Duration left = Duration.between(now, crl.nextUpdate());
    return ResponseEntity.ok()
        .contentType(PKIX_CRL)
        .contentLength(crl.octets())
        .eTag("\"" + crl.number() + "\"")
        .lastModified(crl.thisUpdate())
        .cacheControl(
            CacheControl.maxAge(left.compareTo(CACHED_MAX) < 0 ? left : CACHED_MAX).cachePublic())
        .body(new FileSystemResource(crl.file()));
  }

  private static CrlScope scope(String issuer, int shard) {
    try {
      return new CrlScope(new IssuerName(issuer), shard);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  /** Whoever has a certificate that names it will ask again; there is none of others. */
  private ProblemException missing(CrlName name) {
    return offered.isOffered(name)
        ? new ProblemException(ProblemType.CRL_UNAVAILABLE, "there is none here yet", RETRY, null)
        : unknown();
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "there is no such CRL");
  }
}
