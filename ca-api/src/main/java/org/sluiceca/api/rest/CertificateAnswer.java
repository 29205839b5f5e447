package org.sluiceca.api.rest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.problem.ProblemException;
import org.sluiceca.api.problem.ProblemType;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.Validity;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;

/** Gives a certificate the form that the client accepts. Thread-safe. */
@Component
final class CertificateAnswer {

  /** RFC 8555 9.1: the certificate first, then each issuer; the trust anchor is left out. */
  private static final MediaType PEM_CHAIN = MediaType.valueOf("application/pem-certificate-chain");

  /** RFC 2585 4.1: one certificate in DER. */
  private static final MediaType DER = MediaType.valueOf("application/pkix-cert");

  private static final List<MediaType> OFFERED =
      List.of(MediaType.APPLICATION_JSON, PEM_CHAIN, DER);

  private final IssuerCatalog issuers;

  // A chain is the same in every answer; one of a retired issuer is replaced with its issuer.
  private final Map<IssuerName, IssuerChain> chains = new ConcurrentHashMap<>();

  private record IssuerChain(Issuer issuer, List<String> pem) {
    static IssuerChain of(Issuer issuer) {
      return new IssuerChain(issuer, issuer.chain().stream().map(CertificateAnswer::pem).toList());
    }
  }

  CertificateAnswer(IssuerCatalog issuers) {
    this.issuers = issuers;
  }

  /** The JSON form of a certificate. */
  record Body(
      String serial,
      String notBefore,
      String notAfter,
      String issuer,
      String profile,
      String certificate,
      List<String> chain) {}

  /**
   * Returns the offered type that {@code accept} likes best.
   *
   * @throws ProblemException 406 if it likes none: asked before anything is issued
   */
  static MediaType negotiate(@Nullable String accept) {
    if (accept == null || accept.isBlank()) {
      return MediaType.APPLICATION_JSON;
    }
    try {
      List<MediaType> accepted = new ArrayList<>(MediaType.parseMediaTypes(accept));
      MimeTypeUtils.sortBySpecificity(accepted);
      accepted.sort((a, b) -> Double.compare(b.getQualityValue(), a.getQualityValue()));
      for (MediaType wanted : accepted) {
        for (MediaType offered : OFFERED) {
          if (wanted.getQualityValue() > 0 && wanted.includes(offered)) {
            return offered;
          }
        }
      }
    } catch (InvalidMediaTypeException | InvalidMimeTypeException e) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "the Accept header is malformed");
    }
    throw new ProblemException(ProblemType.NOT_ACCEPTABLE, "available: " + OFFERED);
  }

  /** Writes the certificate of {@code intent} as {@code type} into {@code answer}. */
  ResponseEntity<Object> write(
      ResponseEntity.BodyBuilder answer,
      MediaType type,
      Intent intent,
      CertificateDer certificate) {
    answer.contentType(type);
    if (type.equals(DER)) {
      return answer.body(certificate.encoded());
    }
    List<String> chain = chainOf(intent.origin().issuer());
    if (type.equals(PEM_CHAIN)) {
      StringBuilder pem = new StringBuilder(pem(certificate));
      chain.stream().limit(Math.max(0, chain.size() - 1)).forEach(pem::append);
      return answer.body(pem.toString().getBytes(StandardCharsets.US_ASCII));
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
            chain));
  }

  private List<String> chainOf(IssuerName name) {
    Optional<Issuer> issuer = issuers.find(name);
    if (issuer.isEmpty()) {
      return List.of();
    }
    IssuerChain known = chains.get(name);
    if (known == null || !known.issuer().equals(issuer.get())) {
      known = IssuerChain.of(issuer.get());
      chains.put(name, known);
    }
    return known.pem();
  }

  static String pem(CertificateDer certificate) {
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
