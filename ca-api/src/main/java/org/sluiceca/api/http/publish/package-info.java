/**
 * How public octets (CRLs, issuers' certificates, OCSP responses) leave over HTTP: {@link
 * org.sluiceca.api.http.publish.Publication} is one of them, {@link
 * org.sluiceca.api.http.publish.Preconditions} judges what the client has already. Knows nothing of
 * what the octets say.
 */
@NullMarked
package org.sluiceca.api.http.publish;

import org.jspecify.annotations.NullMarked;
