package org.sluiceca.hsm;

/**
 * The only form in which a key is known outside its token: where to find it and what it must be.
 *
 * <p>The public key is compared with the token's whenever an object handle is found: after a
 * reconnect a handle, and even the CKA_ID, may denote another key.
 *
 * @param id the CKA_ID of both halves of the pair
 * @param publicKey the public key that the pair must have
 */
public record KeyRef(CkaId id, SubjectPublicKeyInfo publicKey) {}
