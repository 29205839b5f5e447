/**
 * Reads and writes DER (X.690) for certificates and certification requests. Entries: {@link
 * org.sluiceca.core.der.CsrReader}, {@link org.sluiceca.core.der.TbsCertificateWriter}. The only
 * package apart from {@code verify} that imports Bouncy Castle, whose unchecked exceptions end here
 * as {@link org.sluiceca.core.der.DerException}. Decides nothing: what is allowed is the callers'
 * part.
 */
@NullMarked
package org.sluiceca.core.der;

import org.jspecify.annotations.NullMarked;
