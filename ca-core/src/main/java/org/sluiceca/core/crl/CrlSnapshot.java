package org.sluiceca.core.crl;

import java.time.Instant;
import java.util.Optional;

/**
 * What a scope was at one moment, all read together.
 *
 * @param now the database's time
 * @param lastNumber the highest number that any CRL of the scope reserved; 0 for none
 * @param revision how many events the scope had
 * @param lastScheduled thisUpdate of the last signed CRL that came in its turn
 * @param isOnly whether its issuer has no other scope, so that the CRL is complete
 */
public record CrlSnapshot(
    Instant now, long lastNumber, long revision, Optional<Instant> lastScheduled, boolean isOnly) {}
