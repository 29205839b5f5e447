package org.sluiceca.mutant.intent;

import org.sluiceca.mutant.sign.Signable;

/** Something that an issuer's key would sign although no record of it exists. */
record UnrecordedBytes() implements Signable {}
