/**
 * What clients of ACME (RFC 8555) share: keys and signatures, a connection, answers, and the pages
 * that prove names. Each client has its own flow, clock and faults.
 */
@NullMarked
package org.sluiceca.load.acme;

import org.jspecify.annotations.NullMarked;
