package org.sluiceca.hsm.isolate.wire;

import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.CryptokiException;

/**
 * What came back for a request.
 *
 * @param number of the request
 * @param status how it ended
 * @param body what follows, not read yet
 */
public record Answer(long number, Status status, FrameReader body) {
  /** How a request ended. */
  public enum Status {
    /** It worked; the result follows. */
    OK(0),
    /** A function returned something else than CKR_OK: its name and the value follow. */
    CKR(1),
    /** The other end failed otherwise: a message follows. */
    FAILED(2);

    private final int code;

    Status(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static Status of(int code) throws MalformedFrameException {
      for (Status status : values()) {
        if (status.code == code) {
          return status;
        }
      }
      throw new MalformedFrameException("no such status: " + code);
    }
  }

  /**
   * The beginning of an answer.
   *
   * @throws MalformedFrameException when it is none
   */
  public static Answer parse(byte[] payload) throws MalformedFrameException {
    FrameReader reader = FrameReader.of(payload);
    Status status = reader.status();
    return new Answer(reader.number(), status, reader);
  }

  /**
   * The body of a request that worked.
   *
   * @throws CryptokiException what the module returned instead
   * @throws IllegalStateException when the other end failed otherwise
   * @throws MalformedFrameException when that cannot be read
   */
  public FrameReader result() throws MalformedFrameException {
    return switch (status) {
      case OK -> body;
      case CKR -> {
        String function = body.text();
        Ckr ckr = new Ckr(body.number());
        body.end();
        throw new CryptokiException(function, ckr);
      }
      case FAILED -> throw new IllegalStateException(message());
    };
  }

  /**
   * The message of a request that failed.
   *
   * @throws MalformedFrameException when there is none
   */
  public String message() throws MalformedFrameException {
    String message = body.text();
    body.end();
    return message;
  }
}
