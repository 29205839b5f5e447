/** Revokes one certificate. Entry: {@code POST /v1/certificates/{serial}/revocation}. */
@NullMarked
package org.sluiceca.api.revocation;

import org.jspecify.annotations.NullMarked;
