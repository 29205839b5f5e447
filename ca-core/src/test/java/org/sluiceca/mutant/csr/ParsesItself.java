package org.sluiceca.mutant.csr;

import org.bouncycastle.asn1.ASN1Integer;

/** ASN.1 outside of der. */
record ParsesItself(ASN1Integer integer) {}
