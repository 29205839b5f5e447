package org.sluiceca.api.console.work;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.share.FairPlaces;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The other certificates with a certificate's key: of all that its page shows, to look for them
 * costs the most, and without them the page is of use. Thread-safe.
 */
public final class Siblings {

  private static final Logger LOG = LoggerFactory.getLogger(Siblings.class);

  /** Half of the connections that credentials and sessions are looked up on as well. */
  private static final int AT_ONCE = 2;

  private final Function<Intent, List<SerialNumber>> sameKey;
  private final FairPlaces<RequesterId> looking = new FairPlaces<>(AT_ONCE);

  /**
   * Looks for them by {@code sameKey}, which may block and throw {@link LedgerUnavailable}; at most
   * {@value #AT_ONCE} at once, and one a requester.
   */
  public Siblings(Function<Intent, List<SerialNumber>> sameKey) {
    this.sameKey = sameKey;
  }

  /**
   * Returns their serial numbers; empty if too many look for theirs, or the ledger does not answer.
   */
  Optional<List<String>> of(RequesterId looker, Intent certificate) {
    if (!looking.take(looker)) {
      return Optional.empty();
    }
    try {
      return Optional.of(sameKey.apply(certificate).stream().map(SerialNumber::hex).toList());
    } catch (LedgerUnavailable e) {
      LOG.warn("the others with a key are not shown: {}", e.getMessage());
      return Optional.empty();
    } finally {
      looking.giveBack(looker);
    }
  }
}
