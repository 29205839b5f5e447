package org.sluiceca.api.cli.setup.issuer;

/** Where the issuing CA's certificate comes from. */
public enum RootState {
  /** It is installed. */
  INSTALLED,
  /** Our own root has signed it, in a run that was stopped. */
  SIGNED,
  /** Our own root signs it in this run. */
  OWN,
  /** Another CA has signed it, and its files are named. */
  BROUGHT,
  /** Another CA has to sign it. */
  AWAITED
}
