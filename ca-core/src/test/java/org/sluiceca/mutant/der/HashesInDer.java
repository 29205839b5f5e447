package org.sluiceca.mutant.der;

import java.security.Signature;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** Cryptography outside of verify. */
record HashesInDer(SHA256Digest digest, Signature signature) {}
