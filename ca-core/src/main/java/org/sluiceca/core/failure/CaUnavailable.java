package org.sluiceca.core.failure;

import org.jspecify.annotations.Nullable;

/** The CA cannot go on for now, by no fault of the client, who may ask again later. */
public abstract sealed class CaUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private CaUnavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  private CaUnavailable(String message) {
    super(message);
  }

  /**
   * The signer gave no signature: lost, hung or full. {@code mayHaveSigned} says whether the key
   * may have been used.
   */
  public static final class SignerUnavailable extends CaUnavailable {
    private static final long serialVersionUID = 1L;
    private final boolean mayHaveSigned;

    public SignerUnavailable(String message, boolean mayHaveSigned, @Nullable Throwable cause) {
      super(message, cause);
      this.mayHaveSigned = mayHaveSigned;
    }

    /** Returns whether the key may have been used for this request. */
    public boolean mayHaveSigned() {
      return mayHaveSigned;
    }
  }

  /** The signer gave a signature that does not verify under the issuer's key; it was discarded. */
  public static final class SignatureRefused extends CaUnavailable {
    private static final long serialVersionUID = 1L;

    public SignatureRefused(String message) {
      super(message);
    }
  }

  /** The ledger could not make something durable, or could not be read, in time. */
  public static final class LedgerUnavailable extends CaUnavailable {
    private static final long serialVersionUID = 1L;

    public LedgerUnavailable(String message, Throwable cause) {
      super(message, cause);
    }

    public LedgerUnavailable(String message) {
      super(message);
    }

    /**
     * Returns whether the database itself failed or did not answer; otherwise this node has more to
     * write than the ledger takes, or stops writing.
     */
    public boolean isDatabaseFailure() {
      return getCause() != null;
    }
  }

  /** This node's claim to an intent ran out or was taken over: another node finishes it. */
  public static final class ClaimLost extends CaUnavailable {
    private static final long serialVersionUID = 1L;

    public ClaimLost(String message) {
      super(message);
    }
  }

  /** The profile's active version cannot be used on this node; another node may issue by it. */
  public static final class ProfileUnavailable extends CaUnavailable {
    private static final long serialVersionUID = 1L;

    public ProfileUnavailable(String message) {
      super(message);
    }
  }

  /** The profile's issuer is not active on this node: configuration and installation differ. */
  public static final class IssuerInactive extends CaUnavailable {
    private static final long serialVersionUID = 1L;

    public IssuerInactive(String message) {
      super(message);
    }
  }
}
