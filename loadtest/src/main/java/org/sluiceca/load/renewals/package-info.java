/**
 * A herd: certificates that are issued together, by ACME, and renewed by clients that follow
 * renewal information (RFC 9773), or none. What is judged is when they come back, and that none is
 * lost.
 */
@NullMarked
package org.sluiceca.load.renewals;

import org.jspecify.annotations.NullMarked;
