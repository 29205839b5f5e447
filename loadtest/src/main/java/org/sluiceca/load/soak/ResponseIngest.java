package org.sluiceca.load.soak;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.sluiceca.load.soak.SoakTerms.Scope;
import org.sluiceca.load.soak.judge.ExpectedState;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.LineJudge;
import org.sluiceca.load.soak.judge.Look;
import org.sluiceca.load.soak.judge.OcspJudge;
import org.sluiceca.load.soak.judge.Rule;

/**
 * Reads what nodes answer and gives it to the judges. Whatever an answer is, who brings it goes on:
 * one that cannot be read is a breach. Thread-safe.
 */
record ResponseIngest(
    Map<Scope, Line> lines,
    OcspClient ocsp,
    OcspJudge ocspJudge,
    ExpectedState expected,
    Findings findings) {

  /** The reader of the CRLs of a scope, and their judge. */
  record Line(CrlReader reader, LineJudge judge) {}

  @FunctionalInterface
  private interface Reading {
    void read() throws GeneralSecurityException;
  }

  /** Returns the scopes whose CRLs can be judged. */
  List<Scope> scopes() {
    return List.copyOf(lines.keySet());
  }

  /** Returns the OCSP request about a certificate. */
  byte[] question(int number) {
    return ocsp.request(expected.serial(number));
  }

  /** Judges an answer to a request for a scope's CRL. */
  void crl(Scope scope, boolean isDelta, Look look, int status, byte[] body) {
    hear(
        look + " " + scope + " delta " + isDelta,
        () -> {
          Line line = Objects.requireNonNull(lines.get(scope), "no judge of the scope");
          if (status == 200) {
            line.judge().see(look, line.reader().read(body, isDelta));
          } else {
            line.judge().absent(look, isDelta, status);
          }
        });
  }

  /** Judges an answer of OCSP; calls {@code later} if the responder asks to try later. */
  void ocsp(int number, Look look, int status, byte[] body, Runnable later) {
    String serial = expected.serial(number);
    hear(
        look + " OCSP of " + serial,
        () -> {
          if (status != 200) {
            throw new GeneralSecurityException("status " + status);
          }
          Optional<OcspJudge.Said> said = ocsp.read(body, serial, look.received());
          if (said.isPresent()) {
            ocspJudge.see(look, number, said.get());
          } else {
            later.run();
          }
        });
  }

  private void hear(String what, Reading reading) {
    try {
      reading.read();
      findings.check(Rule.FORGED, true, "");
      findings.check(Rule.UNREADABLE, true, "");
    } catch (GeneralSecurityException e) {
      findings.breach(Rule.FORGED, what + ": " + e);
    } catch (RuntimeException e) {
      // Parsers throw many kinds, of what is not there or is too short.
      findings.breach(Rule.UNREADABLE, what + ": " + e);
    }
  }
}
