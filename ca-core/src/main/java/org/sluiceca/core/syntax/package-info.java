/**
 * How the names in certificates are written: what is a DNS name, an A-label, a URI, a character
 * that can be seen. Entry: {@link org.sluiceca.core.syntax.DnsNames}. Knows of no policy: which
 * names a profile takes is its own part.
 */
@NullMarked
package org.sluiceca.core.syntax;

import org.jspecify.annotations.NullMarked;
