package org.sluiceca.api.acme.endpoint;

/**
 * Fuzz target: whatever octets a file of an endpoint has, they become an endpoint or faults for its
 * author. Seeds: any file of an endpoint. Run by {@code deploy/local/fuzz.sh EndpointFileFuzz}.
 */
public final class EndpointFileFuzz {

  private EndpointFileFuzz() {}

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      AcmeEndpoint endpoint = EndpointFiles.parse(data);
      if (endpoint.profiles().isEmpty()) {
        throw new AssertionError("an endpoint without a profile");
      }
    } catch (InvalidEndpoint e) {
      if (e.faults().isEmpty() || e.faults().size() > EndpointFaults.FAULTS_MAX + 1) {
        throw new AssertionError(e.faults().size() + " faults", e);
      }
      for (String fault : e.faults()) {
        if (fault.isBlank() || fault.length() > 1_000 || fault.lines().count() > 1) {
          throw new AssertionError("a fault that is no line: " + fault, e);
        }
      }
    }
  }
}
