package org.sluiceca.core.sign;

import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * Bytes that a key of this CA may sign because a durable record of them exists. An ArchUnit rule
 * holds the list of implementers: "signed but unknown" cannot be written.
 */
public interface Signable {

  /** Returns the name of the key that is to sign. */
  KeyName key();

  /** Returns the algorithm that the signed structure names. */
  SignatureAlgorithm signatureAlgorithm();

  /** Returns the exact bytes to sign. */
  OctetString toBeSigned();
}
