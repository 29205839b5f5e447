/**
 * What every request passes before any controller: its id, its size limit, the port it may use.
 * Knows nothing of what is asked.
 */
@NullMarked
package org.sluiceca.api.http.edge;

import org.jspecify.annotations.NullMarked;
