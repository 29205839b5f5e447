/**
 * What this node knows of names and keys that are not certified. Entry: {@link
 * org.sluiceca.api.revocation.blocked.ReservedNameSource}. Knows nothing of HTTP or SQL.
 */
@NullMarked
package org.sluiceca.api.revocation.blocked;

import org.jspecify.annotations.NullMarked;
