/**
 * Requests for certificates that exist before their intent, as the service runs them: the loop that
 * finishes and removes them, and their way to {@link org.sluiceca.api.issuance.IssuanceService}.
 * The states are the core's. Knows no protocol.
 */
@NullMarked
package org.sluiceca.api.registration;

import org.jspecify.annotations.NullMarked;
