/**
 * Many certificates in one request, as lines of JSON that are read only as fast as the line takes
 * them. Entry: {@link org.sluiceca.api.enrollment.batch.BatchController}. Knows HTTP and the line,
 * neither SQL nor tokens.
 */
@NullMarked
package org.sluiceca.api.enrollment.batch;

import org.jspecify.annotations.NullMarked;
