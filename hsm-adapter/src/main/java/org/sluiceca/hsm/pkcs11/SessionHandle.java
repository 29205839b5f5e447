package org.sluiceca.hsm.pkcs11;

/**
 * A session of one life of the module.
 *
 * <p>Numbers start again after C_Initialize, so a bare CK_SESSION_HANDLE kept from before could
 * denote another thread's session and sign with another key. The generation rules that out.
 *
 * @param generation counts C_Initialize calls
 * @param value the CK_SESSION_HANDLE
 */
public record SessionHandle(long generation, long value) {}
