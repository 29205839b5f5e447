package org.sluiceca.core.registration;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.SerialNumber;

/** What registration asks of the CA's one way to a certificate. Thread-safe; blocks. */
public interface Issuing {

  /** What came of asking. */
  sealed interface Answer {

    /** There is an intent, with or without an outcome yet. */
    record Recorded(SerialNumber serialNumber) implements Answer {}

    /** Refused for cause. */
    record Refused(Refusal refusal) implements Answer {}

    /** Refused for load, or something is missing here: nothing is durable. */
    record Later(Duration retryAfter) implements Answer {}
  }

  /**
   * Has a certificate issued, and waits for it for a while. The same request again gets the answer
   * of the first: its key is unique for the request.
   *
   * @param wait how long the caller wants to wait for the certificate
   */
  Answer issue(EnrollmentRequest request, Duration wait);

  /**
   * The intent that was recorded under a key, if there is one: a refusal does not say, for it comes
   * before the ledger is asked.
   */
  Optional<SerialNumber> earlier(RequesterId requester, IdempotencyKey key);

  /** What the ledger has of an intent. */
  LedgerEntry entry(SerialNumber serialNumber);

  /** When a request that is still being signed should be asked about again. */
  Duration pollAfter(SerialNumber serialNumber);
}
