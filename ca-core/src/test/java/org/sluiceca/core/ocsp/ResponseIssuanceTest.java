package org.sluiceca.core.ocsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ocsp.BasicOCSPResponse;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.ocsp.ResponseData;
import org.bouncycastle.asn1.ocsp.RevokedInfo;
import org.bouncycastle.asn1.ocsp.SingleResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.der.CertStatus;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.der.OcspResponseWriter;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

class ResponseIssuanceTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Duration LIFETIME = Duration.ofHours(1);
  private static final SoftwareKey ISSUER_KEY = SoftwareKey.named("issuer-ec-p256");
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(ISSUER_KEY);
  private static final Instant END = NOW.plus(Duration.ofDays(10));
  private static final CertId ID =
      new CertId(CertId.SHA_1, true, octets(20, 1), octets(20, 2), octets(19, 1));
  private static final Standing GOOD =
      new Standing.Recorded(new CertStatus.Good(), Optional.empty());

  private final ManualTime time = new ManualTime(NOW.plusMillis(700));
  private final Deadline deadline = Deadline.after(Duration.ofSeconds(1), time);
  private final List<SignSchedule> turns = new ArrayList<>();
  private Responder responder = responder(END);
  private IssuerSigner signer =
      (signable, schedule) -> {
        turns.add(schedule);
        assertThat(signable.key().value()).isEqualTo("issuing.ocsp");
        return KEY.sign(signable.signatureAlgorithm(), signable.toBeSigned());
      };

  @BeforeEach
  void fresh() {
    turns.clear();
  }

  @Test
  void issue_good_parsesAndVerifies() throws IOException {
    Reply.Signed reply = signed(Map.of(ID, GOOD));

    BasicOCSPResponse basic = basic(reply);
    ResponseData data = basic.getTbsResponseData();
    SingleResponse single = SingleResponse.getInstance(data.getResponses().getObjectAt(0));
    assertThat(single.getCertStatus().getTagNo()).isZero();
    // A verifier whose clock is 5 minutes late takes it; producedAt is true.
    assertThat(single.getThisUpdate().getTimeString()).isEqualTo("20261121115500Z");
    assertThat(single.getNextUpdate().getTimeString()).isEqualTo("20261121130000Z");
    assertThat(data.getProducedAt().getTimeString()).isEqualTo("20261121120000Z");
    assertThat(data.getResponderID().getKeyHash()).isEqualTo(responder.keyHash().octets());
    assertThat(data.getResponseExtensions()).isNull();
    assertThat(single.getSingleExtensions()).isNull();
    assertThat(single.getCertID().getSerialNumber().getValue().toByteArray())
        .isEqualTo(ID.serialNumber().octets());
    assertThat(single.getCertID().getHashAlgorithm().getParameters()).isNotNull();
    assertThat(basic.getCerts().getObjectAt(0).toASN1Primitive().getEncoded())
        .isEqualTo(responder.certificate().encoded());
    assertThat(
            new BouncyCastleVerifier()
                .verifies(
                    KEY.publicKey(),
                    SignatureAlgorithm.ECDSA_SHA256,
                    OctetString.copyOf(data.getEncoded()),
                    OctetString.copyOf(basic.getSignature().getOctets())))
        .isTrue();
    assertThat(reply.isReusable()).isTrue();
    assertThat(reply.freshUntil()).isEqualTo(Instant.parse("2026-11-21T12:54:00Z"));
    assertThat(turns)
        .containsExactly(
            new SignSchedule(Lane.STATUS, ResponseIssuance.REQUESTER, deadline, deadline));
  }

  @Test
  void issue_hashWithoutParameters_repeatedSo() throws IOException {
    CertId bare = new CertId(CertId.SHA_256, false, octets(32, 1), octets(32, 2), octets(19, 1));

    SingleResponse single = single(signed(Map.of(bare, GOOD)));

    assertThat(single.getCertID().getHashAlgorithm().getParameters()).isNull();
    assertThat(single.getCertID().getHashAlgorithm().getAlgorithm().getId())
        .isEqualTo(CertId.SHA_256);
  }

  @Test
  void issue_revoked_timeReasonAndCutoff() throws IOException {
    Instant since = Instant.parse("2026-11-20T01:02:03Z");
    Standing revoked =
        new Standing.Recorded(
            new CertStatus.Revoked(since, Optional.of(RevocationReason.KEY_COMPROMISE)),
            Optional.of(Instant.parse("2020-01-01T00:00:00Z")));

    Reply.Signed reply = signed(Map.of(ID, revoked));

    SingleResponse single = single(reply);
    RevokedInfo shown = RevokedInfo.getInstance(single.getCertStatus().getStatus());
    assertThat(reply.kind()).isEqualTo(Reply.Kind.REVOKED);
    assertThat(single.getCertStatus().getTagNo()).isEqualTo(1);
    assertThat(shown.getRevocationTime().getTimeString()).isEqualTo("20261120010203Z");
    assertThat(shown.getRevocationReason().getValue().intValue()).isEqualTo(1);
    assertThat(single.getSingleExtensions().getExtensionOIDs()[0].getId())
        .isEqualTo("1.3.6.1.5.5.7.48.1.6");
  }

  @Test
  void issue_unknown_markedAsNeverIssued() throws IOException {
    Reply.Signed reply =
        signed(Map.of(ID, new Standing.NeverIssued(new CertStatus.Unknown(), false)));

    assertThat(single(reply).getCertStatus().getTagNo()).isEqualTo(2);
    assertThat(reply.kind()).isEqualTo(Reply.Kind.UNKNOWN);
    assertThat(reply.isNeverIssued()).isTrue();
  }

  @Test
  void issue_nonceAndExtendedRevoke_inTheResponseAndForNobodyElse() throws IOException {
    Reply.Signed reply =
        (Reply.Signed)
            issuance()
                .issue(responder, Map.of(ID, GOOD), true, Optional.of(octets(32, 9)), deadline);

    var extensions = basic(reply).getTbsResponseData().getResponseExtensions();
    byte[] nonce =
        ASN1OctetString.getInstance(
                extensions
                    .getExtension(new ASN1ObjectIdentifier("1.3.6.1.5.5.7.48.1.2"))
                    .getExtnValue()
                    .getOctets())
            .getOctets();
    assertThat(nonce).isEqualTo(octets(32, 9).octets());
    assertThat(extensions.getExtension(new ASN1ObjectIdentifier("1.3.6.1.5.5.7.48.1.9")))
        .isNotNull();
    assertThat(extensions.getCriticalExtensionOIDs()).isEmpty();
    assertThat(reply.isReusable()).isFalse();
  }

  @Test
  void issue_several_inTheOrderOfTheRequestAndForNobodyElse() throws IOException {
    Map<CertId, Standing> standings = new LinkedHashMap<>();
    for (int i = 5; i > 0; i--) {
      standings.put(
          new CertId(CertId.SHA_1, true, octets(20, 1), octets(20, 2), octets(3, i)), GOOD);
    }

    Reply.Signed reply = signed(standings);

    assertThat(basic(reply).getTbsResponseData().getResponses().size()).isEqualTo(5);
    assertThat(single(reply).getCertID().getSerialNumber().getValue().toByteArray())
        .isEqualTo(octets(3, 5).octets());
    assertThat(reply.kind()).isEqualTo(Reply.Kind.SEVERAL);
    assertThat(reply.isReusable()).isFalse();
  }

  @Test
  void issue_responderEndsBefore_nextUpdateIsItsEnd() {
    responder = responder(NOW.plus(Duration.ofMinutes(10)));

    assertThat(signed(Map.of(ID, GOOD)).nextUpdate()).isEqualTo(NOW.plus(Duration.ofMinutes(10)));
  }

  @Test
  void issue_responderEnded_refusedWithoutASignature() {
    responder = responder(NOW);

    assertThat(issuance().issue(responder, Map.of(ID, GOOD), false, Optional.empty(), deadline))
        .isEqualTo(new Reply.Refused(OcspResponseStatus.INTERNAL_ERROR));
    assertThat(turns).isEmpty();
  }

  /** The issuer's key must never sign a response by mistake, nor any other key. */
  @Test
  void issue_signatureOfAnotherKey_notReleased() {
    signer =
        (signable, schedule) ->
            ISSUER_KEY.sign(signable.signatureAlgorithm(), signable.toBeSigned());

    assertThatExceptionOfType(SignatureRefused.class).isThrownBy(() -> signed(Map.of(ID, GOOD)));
  }

  @Test
  void issue_tokenLost_unavailable() {
    signer =
        (signable, schedule) -> {
          throw new SignerUnavailable("lost", false, null);
        };

    assertThatExceptionOfType(SignerUnavailable.class).isThrownBy(() -> signed(Map.of(ID, GOOD)));
  }

  @Test
  void unsuccessful_eachStatus_itsCodeAlone() {
    for (OcspResponseStatus status : OcspResponseStatus.values()) {
      OCSPResponse response =
          OCSPResponse.getInstance(OcspResponseWriter.unsuccessful(status).octets());

      assertThat(response.getResponseStatus().getIntValue()).isEqualTo(status.code());
      assertThat(response.getResponseBytes()).isNull();
    }
  }

  private Reply.Signed signed(Map<CertId, Standing> standings) {
    return (Reply.Signed) issuance().issue(responder, standings, false, Optional.empty(), deadline);
  }

  private ResponseIssuance issuance() {
    return new ResponseIssuance(
        (signable, schedule) -> signer.sign(signable, schedule),
        new BouncyCastleVerifier(),
        time,
        LIFETIME);
  }

  private static BasicOCSPResponse basic(Reply.Signed reply) {
    OCSPResponse response = OCSPResponse.getInstance(reply.response().octets());
    assertThat(response.getResponseStatus().getIntValue()).isZero();
    return BasicOCSPResponse.getInstance(response.getResponseBytes().getResponse().getOctets());
  }

  private static SingleResponse single(Reply.Signed reply) {
    return SingleResponse.getInstance(
        basic(reply).getTbsResponseData().getResponses().getObjectAt(0));
  }

  private static Responder responder(Instant notAfter) {
    TbsCertificate fields =
        new TbsCertificate(
            octets(19, 1),
            SignatureAlgorithm.ECDSA_SHA256,
            ISSUER.subject(),
            new Validity(NOW.minus(Duration.ofDays(20)), notAfter),
            ISSUER.subject(),
            KEY.publicKey(),
            List.of(
                Extensions.basicConstraints(false, OptionalInt.empty()),
                Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE)),
                Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.OCSP_SIGNING)),
                Extensions.ocspNoCheck()));
    var tbs = TbsCertificateWriter.write(fields);
    CertificateDer certificate =
        TbsCertificateWriter.assemble(
            tbs,
            SignatureAlgorithm.ECDSA_SHA256,
            ISSUER_KEY.sign(SignatureAlgorithm.ECDSA_SHA256, OctetString.copyOf(tbs.encoded())));
    try {
      return Responder.of(Fixtures.ISSUING, certificate);
    } catch (DerException e) {
      throw new IllegalStateException(e);
    }
  }

  private static OctetString octets(int length, int first) {
    byte[] octets = new byte[length];
    octets[0] = (byte) first;
    return OctetString.copyOf(octets);
  }
}
