package org.sluiceca.hsm;

import java.time.Duration;

/**
 * Everything that can keep a signature from being made, one final class for each.
 *
 * <p>Messages are one line and hold no secret. {@link #mayHaveExecuted} decides what a caller may
 * do: when false the token made no signature for this request, so that it may be asked again.
 */
public abstract sealed class HsmException extends RuntimeException {
  private final String message;
  private final boolean mayHaveExecuted;

  private HsmException(String message, boolean mayHaveExecuted) {
    super(message);
    this.message = message;
    this.mayHaveExecuted = mayHaveExecuted;
  }

  /** One line, without secrets. */
  @Override
  public final String getMessage() {
    return message;
  }

  /** Returns whether the token may have made a signature that no caller will see. */
  public final boolean mayHaveExecuted() {
    return mayHaveExecuted;
  }

  /** The lane is full; the token was not touched. Retry after the predicted drain. */
  public static final class Saturated extends HsmException {
    private final int queueDepth;
    private final Duration predictedDrain;

    /** A lane with this many jobs waiting, predicted to be empty after that time. */
    public Saturated(int queueDepth, Duration predictedDrain) {
      super("the lane is full: " + queueDepth + " jobs wait", false);
      this.queueDepth = queueDepth;
      this.predictedDrain = predictedDrain;
    }

    /** Jobs that waited when the request was refused. */
    public int queueDepth() {
      return queueDepth;
    }

    /** When the jobs that wait now will probably be done; zero while no service time is known. */
    public Duration predictedDrain() {
      return predictedDrain;
    }
  }

  /** The deadline passed, or could not be met, while the job was queued; never executed. */
  public static final class DeadlineExceeded extends HsmException {
    /** Says how the wait ended. */
    public DeadlineExceeded(String message) {
      super(message, false);
    }
  }

  /** The waiter's time is over while the call still runs in the token. */
  public static final class SignTimedOut extends HsmException {
    private final Duration inToken;

    /** After this much time in the token. */
    public SignTimedOut(Duration inToken) {
      super("the token has not answered for " + inToken.toMillis() + " ms", true);
      this.inToken = inToken;
    }

    /** How long the call had run when its waiter left. */
    public Duration inToken() {
      return inToken;
    }
  }

  /** The token is busy; the request was not executed. Never a reason to reconnect. */
  public static final class Busy extends HsmException {
    /** Names the code. */
    public Busy(String message) {
      super(message, false);
    }
  }

  /** A session, its login or a handle was lost during this request. */
  public static final class SessionLost extends HsmException {
    /** Names the code; says whether C_Sign had been entered. */
    public SessionLost(String message, boolean mayHaveExecuted) {
      super(message, mayHaveExecuted);
    }
  }

  /** The token is gone; it is being polled for. */
  public static final class TokenLost extends HsmException {
    /** Names the code; says whether C_Sign had been entered. */
    public TokenLost(String message, boolean mayHaveExecuted) {
      super(message, mayHaveExecuted);
    }
  }

  /** The token has no private key with this CKA_ID, or no matching public key, or two of them. */
  public static final class KeyMissing extends HsmException {
    /** Names the CKA_ID. */
    public KeyMissing(String message) {
      super(message, false);
    }
  }

  /** The key under this CKA_ID is not the one expected. An alarm, never retried. */
  public static final class KeyMismatch extends HsmException {
    /** Names the CKA_ID. */
    public KeyMismatch(String message) {
      super(message, false);
    }
  }

  /** A generated or found key pair lacks an attribute that a CA key must have. */
  public static final class KeyUnfit extends HsmException {
    /** Names the CKA_ID and the attribute. */
    public KeyUnfit(String message) {
      super(message, false);
    }
  }

  /** The token refused the PIN. Never tried again in this process: the token counts attempts. */
  public static final class PinRefused extends HsmException {
    /** Names the token and the code, never the PIN. */
    public PinRefused(String message) {
      super(message, false);
    }
  }

  /** The PIN could not be read. */
  public static final class PinUnreadable extends HsmException {
    /** Names the file. */
    public PinUnreadable(String message) {
      super(message, false);
    }
  }

  /** The PKCS#11 library is missing or cannot be loaded. */
  public static final class ModuleMissing extends HsmException {
    /** Names the library and the reason. */
    public ModuleMissing(String message) {
      super(message, false);
    }
  }

  /** No token, or more than one, has the label. */
  public static final class TokenMissing extends HsmException {
    /** Names the label and those that are there. */
    public TokenMissing(String message) {
      super(message, false);
    }
  }

  /** The token refuses this mechanism, key type or data: the request can never succeed. */
  public static final class RequestRefused extends HsmException {
    /** Names the code. */
    public RequestRefused(String message) {
      super(message, false);
    }
  }

  /** A return value that no profile knows: fails closed, never retried here. */
  public static final class Unexpected extends HsmException {
    /** Names the code; says whether C_Sign had been entered. */
    public Unexpected(String message, boolean mayHaveExecuted) {
      super(message, mayHaveExecuted);
    }
  }

  /** No token that holds the key can be used, or every one has been tried. */
  public static final class NoUsableToken extends HsmException {
    /** Names the tokens and what keeps each from signing. */
    public NoUsableToken(String message) {
      super(message, false);
    }
  }

  /** The signer is closed or closing. */
  public static final class Closed extends HsmException {
    /** A request that was still queued, or came later. */
    public Closed() {
      super("the signer is closed", false);
    }
  }
}
