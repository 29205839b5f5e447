package org.sluiceca.core.audit;

import org.sluiceca.core.x509.OctetString;

/**
 * A checkpoint's bytes and the signature over them, as they are exported: nothing here is believed
 * before it is verified.
 */
public record SignedCheckpoint(OctetString encoded, OctetString signature) {}
