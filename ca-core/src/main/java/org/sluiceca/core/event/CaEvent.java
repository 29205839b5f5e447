package org.sluiceca.core.event;

import java.time.Instant;
import java.util.List;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** One fact about one enrollment. Holds no secret and no personal data beyond the names here. */
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

  /** Step 8 is durable, the certificate may leave: told once, by the node that recorded it. */
  record CertificateIssued(
      SerialNumber serialNumber, ProfileName profile, SignatureAlgorithm algorithm)
      implements CaEvent {}

  /** The intent was given up, durably: told once, by the node that recorded it. */
  record IntentAbandoned(SerialNumber serialNumber, String reason, boolean maybeSigned)
      implements CaEvent {}

  /** The intent has no outcome yet; recovery goes on with it when its claim has run out. */
  record IntentLeftPending(SerialNumber serialNumber, String cause) implements CaEvent {}

  /**
   * A promise was not kept in its time: while somebody waited for it, or before its claim ended if
   * nobody did.
   */
  record DeadlineMissed(SerialNumber serialNumber, Lane lane) implements CaEvent {}

  /** This node took over an intent whose owner let its claim run out. */
  record IntentTakenOver(SerialNumber serialNumber, int epoch) implements CaEvent {}
}
