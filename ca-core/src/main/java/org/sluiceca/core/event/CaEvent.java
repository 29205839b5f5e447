package org.sluiceca.core.event;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * One fact about one certificate or the wish for one. Holds no secret and no personal data beyond
 * the names here.
 */
public sealed interface CaEvent {

  /** Step 1 gave a place. */
  record RequestAdmitted(RequesterId requester, Lane lane) implements CaEvent {}

  /**
   * Step 1 gave no place.
   *
   * @param cause the name of the cause, of a closed set
   */
  record RequestShed(RequesterId requester, Lane lane, String cause, long retryAfterSeconds)
      implements CaEvent {}

  /** A step refused the request for cause; nothing was recorded. */
  record RequestRejected(RequesterId requester, ProfileName profile, Rejection.Reason reason)
      implements CaEvent {}

  /** An Idempotency-Key stood for an earlier request. */
  record RequestReplayed(RequesterId requester, Lane lane, SerialNumber first) implements CaEvent {}

  /**
   * Step 5 is durable.
   *
   * @param overridden OIDs of requested extensions and subject attributes that the profile decided
   *     instead
   */
  record IntentRecorded(
      SerialNumber serialNumber,
      RequesterId requester,
      ProfileName profile,
      List<String> overridden)
      implements CaEvent {}

  /**
   * The certificate of a recorded intent ends with its issuer, as its profile allows, and before
   * the instant {@code wanted} that the profile speaks of.
   */
  record ValidityClamped(
      SerialNumber serialNumber, ProfileName profile, Instant wanted, Instant notAfter)
      implements CaEvent {}

  /** Step 6 gave a signature; nothing is released yet. */
  record SignatureMade(SerialNumber serialNumber, int epoch) implements CaEvent {}

  /** Step 7 refused the signature: the signer is broken or the key is another. */
  record SignatureRefused(SerialNumber serialNumber, Lane lane) implements CaEvent {}

  /** Step 8 is durable, the certificate may leave: reported once, by the node that recorded it. */
  record CertificateIssued(
      SerialNumber serialNumber,
      RequesterId requester,
      ProfileName profile,
      SignatureAlgorithm algorithm,
      CertificateDer certificate)
      implements CaEvent {}

  /** The intent was given up, durably: reported once, by the node that recorded it. */
  record IntentAbandoned(SerialNumber serialNumber, String reason, boolean maybeSigned)
      implements CaEvent {}

  /** The intent has no outcome yet; recovery goes on with it when its claim has run out. */
  record IntentLeftPending(SerialNumber serialNumber, String cause) implements CaEvent {}

  /**
   * An accepted request was not finished in time: while a client waited for it, or before its claim
   * ended if no client did.
   */
  record DeadlineMissed(SerialNumber serialNumber, Lane lane) implements CaEvent {}

  /** This node took an order out of the backlog. */
  record OrderTaken(SerialNumber serialNumber) implements CaEvent {}

  /** This node took over an intent whose owner let its claim run out. */
  record IntentTakenOver(SerialNumber serialNumber, int epoch) implements CaEvent {}

  /**
   * A revocation, or another reason for one, is durable: reported once, by the node that recorded
   * it.
   */
  record CertificateRevoked(SerialNumber serialNumber, RequesterId by, RevocationReason reason)
      implements CaEvent {}

  /**
   * The revocation of several certificates, 500 at most, is durable: reported once, by the node
   * that recorded it.
   *
   * @param job the bulk revocation that they belong to
   */
  record CertificatesRevoked(
      UUID job, List<SerialNumber> serialNumbers, RequesterId by, RevocationReason reason)
      implements CaEvent {

    public CertificatesRevoked {
      serialNumbers = List.copyOf(serialNumbers);
    }
  }

  /** The end of a hold is durable. */
  record HoldReleased(SerialNumber serialNumber, RequesterId by) implements CaEvent {}

  /**
   * A CRL is signed, checked and durable.
   *
   * @param shard 0 if the issuer's certificates are not spread over several
   * @param base the number of the CRL that it is a delta to; empty if it is complete
   * @param entries how many certificates are on it
   */
  record CrlIssued(IssuerName issuer, int shard, long number, OptionalLong base, int entries)
      implements CaEvent {}

  /** The signature of a CRL does not verify: the signer is broken or the key is another. */
  record CrlSignatureRefused(IssuerName issuer, int shard, long number) implements CaEvent {}

  /** The signature of an OCSP response does not verify: the signer is broken or has another key. */
  record OcspSignatureRefused(IssuerName issuer) implements CaEvent {}
}
