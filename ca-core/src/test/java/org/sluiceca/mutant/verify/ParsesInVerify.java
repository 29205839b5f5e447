package org.sluiceca.mutant.verify;

import org.bouncycastle.asn1.ASN1Sequence;

/** A parser in verify. */
record ParsesInVerify(ASN1Sequence sequence) {}
