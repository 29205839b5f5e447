package org.sluiceca.load.soak.judge;

/** What must hold, in words for the page of results. */
public enum Rule {
  NUMBER_TWICE("a CRL number stands for one content, on all nodes"),
  BACKWARDS("no node goes back to a lower CRL number"),
  BEHIND("no living node stays behind the newest CRL number seen anywhere"),
  TIME_ORDER("a higher CRL number was never issued earlier"),
  STALE("nothing is served past its nextUpdate, or before it was issued"),
  FORGED("every CRL and every OCSP answer is signed by whom it names, and is what was asked for"),
  UNREADABLE("every answer can be read, and has all that it must have"),
  LATE("a confirmed revocation is on the CRL of every living node in time"),
  FORGOTTEN("a CRL has every revocation that was confirmed before it was issued"),
  GONE("no revocation leaves later CRLs unless it was released"),
  PHANTOM("nothing is shown revoked that was not revoked, or that was released long ago"),
  DELTA("any base and its delta together are what a complete CRL of that number must be"),
  ABSENT("every living node serves every CRL"),
  OCSP_LATE("no living node's OCSP says good long after a revocation was confirmed"),
  OCSP_BACK("no node's OCSP says good after it said revoked, unless released"),
  OCSP_REFUSED("OCSP knows every certificate that was answered 201"),
  SILENT("no living node, asked all the time, says nothing for more than 10 s");

  private final String words;

  Rule(String words) {
    this.words = words;
  }

  /** Returns what must hold, as a sentence without its end. */
  public String words() {
    return words;
  }
}
