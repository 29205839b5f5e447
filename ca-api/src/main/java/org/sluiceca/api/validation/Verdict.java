package org.sluiceca.api.validation;

import java.time.Instant;
import java.util.Optional;

/** How one attempt to validate a challenge ended. */
public sealed interface Verdict {

  /**
   * The proof was found.
   *
   * @param evidence where, in one line as {@link Failed#detail}; for the audit trail
   * @param until after which an authorization from it must not be used; empty if the proof names no
   *     end
   */
  record Valid(String evidence, Optional<Instant> until) implements Verdict {
    public Valid {
      evidence = line(evidence);
    }
  }

  /**
   * The proof was not found.
   *
   * @param detail what was seen and what to do, in one line of printable ASCII, at most {@value
   *     #DETAIL_MAX} characters; never a word that the other machine sent
   */
  record Failed(Kind kind, String detail) implements Verdict {
    public Failed {
      detail = line(detail);
    }
  }

  /** Returns the verdict of an attempt that ended with a fault of this CA. */
  static Failed unexpected() {
    return new Failed(
        Kind.SERVER_INTERNAL,
        "this CA failed while it looked for the proof; its log says where. Make another order, and"
            + " report it to the operator of the CA if that fails, too");
  }

  /** A type of error (RFC 8555 6.7). */
  enum Kind {
    /** The machine cannot be reached, or its address is one to which this CA does not connect. */
    CONNECTION("connection"),
    /** No name server gave an answer, or the name does not exist. */
    DNS("dns"),
    /** The machine or a DNS record answered otherwise than the challenge demands. */
    INCORRECT_RESPONSE("incorrectResponse"),
    /** The handshake failed. */
    TLS("tls"),
    /** There is no proof at the place where it belongs. */
    UNAUTHORIZED("unauthorized"),
    /** A fault of this CA, which its operator has to see. */
    SERVER_INTERNAL("serverInternal");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns what follows {@code urn:ietf:params:acme:error:}. */
    public String text() {
      return text;
    }
  }

  /** A line of a terminal or two; more would not be read. */
  int DETAIL_MAX = 300;

  private static String line(String text) {
    StringBuilder line = new StringBuilder();
    text.chars().limit(DETAIL_MAX).forEach(c -> line.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return line.toString();
  }
}
