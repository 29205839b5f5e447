package org.sluiceca.blackbox;

import java.net.URI;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.sluiceca.blackbox.StatusCast.Member;

/**
 * What a relying party is given to find out about a certificate.
 *
 * @param responder who is asked by OCSP, whatever the certificate says
 * @param crls the issuer's and the root's, and no other
 */
record StatusQuestion(Member member, URI responder, List<X509CRL> crls, Clock clock) {

  /**
   * The time that a program is given; openssl ocsp, openssl crl and ocsptool know only the real
   * one.
   */
  enum Clock {
    NOW,
    /** A second before the certificate's end. */
    BEFORE_ITS_END,
    /** When neither CRLs nor OCSP responses are good any more, but the certificate is. */
    AFTER_NEXT_UPDATE
  }

  /** The JDK lets clocks differ by 15 minutes. */
  static final Duration JDK_SKEW = Duration.ofMinutes(15);

  static StatusQuestion of(StatusCast cast, Member member) {
    return new StatusQuestion(member, cast.responder(), cast.crls(member.issuer()), Clock.NOW);
  }

  StatusQuestion at(Clock other) {
    return new StatusQuestion(member, responder, crls, other);
  }

  StatusQuestion asking(URI other) {
    return new StatusQuestion(member, other, crls, clock);
  }

  StatusQuestion with(List<X509CRL> others) {
    return new StatusQuestion(member, responder, others, clock);
  }

  X509Certificate certificate() {
    return member.certificate();
  }

  /** What the program takes for now. */
  Instant time() {
    return switch (clock) {
      case NOW -> Instant.now();
      case BEFORE_ITS_END -> certificate().getNotAfter().toInstant().minusSeconds(1);
      case AFTER_NEXT_UPDATE ->
          crls.getFirst().getNextUpdate().toInstant().plus(JDK_SKEW).plusSeconds(1);
    };
  }
}
