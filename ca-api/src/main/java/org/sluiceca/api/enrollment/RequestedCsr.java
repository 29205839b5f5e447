package org.sluiceca.api.enrollment;

import org.sluiceca.api.http.input.PrivateKeyGuard;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.x509.CsrDer;

/** A certification request as a client sends it: DER, PEM or base64. */
public final class RequestedCsr {

  private RequestedCsr() {}

  /**
   * Takes a CSR out of its form.
   *
   * @throws ProblemException if it holds a private key, or is none of the forms
   */
  public static CsrDer of(byte[] body) {
    PrivateKeyGuard.check(body);
    try {
      return Pem.request(body);
    } catch (DerException e) {
      throw new ProblemException(ProblemType.MALFORMED_CSR, e.fault());
    }
  }
}
