package org.sluiceca.mutant.sign;

/** Named like the core's. */
public interface Signable {}
