/**
 * Revocation status for a long time: certificates are issued, revoked, held and released while
 * nodes are killed and stopped, and everything that nodes serve is fetched and judged.
 */
@NullMarked
package org.sluiceca.load.soak;

import org.jspecify.annotations.NullMarked;
