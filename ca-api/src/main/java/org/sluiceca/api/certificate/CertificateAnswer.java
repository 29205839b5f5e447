package org.sluiceca.api.certificate;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.issuer.IssuerChains;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CertificatesOnly;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.util.InvalidMimeTypeException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/** Gives a certificate the form that the client accepts. Thread-safe. */
@Component
public final class CertificateAnswer {

  /** RFC 8555 9.1: the certificate first, then each issuer; the trust anchor is left out. */
  public static final MediaType PEM_CHAIN = MediaType.valueOf("application/pem-certificate-chain");

  /** RFC 2585 4.1: one certificate in DER. */
  private static final MediaType DER = MediaType.valueOf("application/pkix-cert");

  /** RFC 8551 3.2.2 and 3.8: a chain in the form that Windows and Java keep. */
  private static final MediaType PKCS7 =
      MediaType.valueOf("application/pkcs7-mime;smime-type=certs-only");

  private static final List<MediaType> OFFERED =
      List.of(MediaType.APPLICATION_JSON, PEM_CHAIN, DER);

  private final IssuerChains chains;
  private final InstantSource clock;

  CertificateAnswer(IssuerCatalog issuers, InstantSource clock, JsonMapper json) {
    this.chains = new IssuerChains(issuers, json);
    this.clock = clock;
  }

  /**
   * The JSON form of a certificate.
   *
   * @param chain an array of strings
   * @param status valid, revoked or expired, when it is read; null in the answer that issued it
   * @param revocation if it is revoked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Body(
      String serial,
      String notBefore,
      String notAfter,
      String issuer,
      String profile,
      String certificate,
      RawValue chain,
      @Nullable String status,
      @Nullable StatusBody revocation) {

    Body of(String now, @Nullable StatusBody position) {
      return new Body(
          serial, notBefore, notAfter, issuer, profile, certificate, chain, now, position);
    }
  }

  /**
   * Returns the offered type that {@code accept} likes best.
   *
   * @throws ProblemException 406 if it likes none: asked before anything is issued
   */
  public static MediaType negotiate(@Nullable String accept) {
    if (accept == null || accept.isBlank() || accept.equals(MediaType.APPLICATION_JSON_VALUE)) {
      return MediaType.APPLICATION_JSON;
    }
    try {
      List<MediaType> ranges = new ArrayList<>(MediaType.parseMediaTypes(accept));
      ranges.sort(Comparator.comparingInt(CertificateAnswer::wildcards));
      Optional<MediaType> best =
          OFFERED.stream()
              .filter(offered -> quality(ranges, offered) > 0)
              .max(
                  Comparator.<MediaType>comparingDouble(offered -> quality(ranges, offered))
                      .thenComparingInt(offered -> -precedence(ranges, offered)));
      if (best.isPresent()) {
        return best.get();
      }
    } catch (InvalidMediaTypeException | InvalidMimeTypeException e) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "the Accept header is malformed");
    }
    throw new ProblemException(ProblemType.NOT_ACCEPTABLE, "available: " + OFFERED);
  }

  private static int wildcards(MediaType range) {
    return (range.isWildcardType() ? 1 : 0) + (range.isWildcardSubtype() ? 1 : 0);
  }

  /** RFC 9110 12.5.1: the most specific range that includes a type has precedence. */
  private static int precedence(List<MediaType> ranges, MediaType offered) {
    for (int i = 0; i < ranges.size(); i++) {
      if (ranges.get(i).includes(offered)) {
        return i;
      }
    }
    return ranges.size();
  }

  private static double quality(List<MediaType> ranges, MediaType offered) {
    int range = precedence(ranges, offered);
    return range < ranges.size() ? ranges.get(range).getQualityValue() : 0;
  }

  /** Writes the certificate of {@code intent} as {@code type} into {@code answer}. */
  public ResponseEntity<Object> write(
      ResponseEntity.BodyBuilder answer,
      MediaType type,
      Intent intent,
      CertificateDer certificate) {
    answer.contentType(type);
    if (type.equals(DER)) {
      return answer.body(certificate.encoded());
    }
    if (type.equals(PEM_CHAIN)) {
      return answer.body(pemChain(intent, certificate));
    }
    Validity validity = validity(intent);
    return answer.body(
        new Body(
            intent.serialNumber().hex(),
            validity.notBefore().toString(),
            validity.notAfter().toString(),
            intent.origin().issuer().value(),
            intent.origin().profile().value(),
            pem(certificate),
            chains.of(intent.origin().issuer()).json(),
            null,
            null));
  }

  /** A file of a certificate. */
  public record Download(MediaType mediaType, OctetString octets) {}

  /**
   * Returns a certificate as a file.
   *
   * @param extension {@code pem} and {@code p7b} for the chain without its trust anchor, {@code
   *     cer} for the certificate in DER; empty for any other
   */
  public Optional<Download> download(String extension, Intent intent, CertificateDer certificate) {
    return switch (extension) {
      case "pem" -> Optional.of(file(PEM_CHAIN, pemChain(intent, certificate)));
      case "cer" -> Optional.of(file(DER, certificate.encoded()));
      case "p7b" -> Optional.of(file(PKCS7, CertificatesOnly.write(path(intent, certificate))));
      default -> Optional.empty();
    };
  }

  private static Download file(MediaType type, byte[] octets) {
    return new Download(type, OctetString.copyOf(octets));
  }

  private byte[] pemChain(Intent intent, CertificateDer certificate) {
    List<String> above = chains.of(intent.origin().issuer()).pem();
    StringBuilder pem = new StringBuilder(pem(certificate));
    above.stream().limit(Math.max(0, above.size() - 1)).forEach(pem::append);
    return pem.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private List<CertificateDer> path(Intent intent, CertificateDer certificate) {
    Issuer issuer = chains.of(intent.origin().issuer()).issuer();
    List<CertificateDer> above = issuer == null ? List.of() : issuer.chain();
    return Stream.concat(
            Stream.of(certificate), above.stream().limit(Math.max(0, above.size() - 1)))
        .toList();
  }

  /** Writes a certificate as {@link #write} does, and what has become of it. */
  ResponseEntity<Object> writeWithStatus(
      MediaType type, LedgerEntry entry, CertificateDer certificate, Supplier<StatusBody> status) {
    ResponseEntity<Object> answer = write(ResponseEntity.ok(), type, entry.intent(), certificate);
    if (!(answer.getBody() instanceof Body body)) {
      return answer;
    }
    StatusBody position = status.get();
    if (position.isRevoked()) {
      return ResponseEntity.ok().contentType(type).body(body.of(position.status(), position));
    }
    boolean isOver = !validity(entry.intent()).notAfter().isAfter(clock.instant());
    return ResponseEntity.ok().contentType(type).body(body.of(isOver ? "expired" : "valid", null));
  }

  public static String pem(CertificateDer certificate) {
    return Pem.write(Pem.CERTIFICATE, certificate.encoded());
  }

  private static Validity validity(Intent intent) {
    try {
      return CertificateReader.validity(intent.tbsCertificate());
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own TBSCertificate does not parse", e);
    }
  }
}
