/**
 * The index in which certificates are found: {@link org.sluiceca.api.certificate.index.IndexLoop}
 * brings in what was issued, and drops what expired long ago. Knows no SQL, and nothing of issuing
 * or searching.
 */
@NullMarked
package org.sluiceca.api.certificate.index;

import org.jspecify.annotations.NullMarked;
