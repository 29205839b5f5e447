package org.sluiceca.hsm.ceremony;

/** The kinds of key pair that a ceremony makes. */
public enum KeyAlgorithm {
  RSA_2048,
  RSA_3072,
  RSA_4096,
  EC_P256,
  EC_P384,
  EC_P521,
  ED25519
}
