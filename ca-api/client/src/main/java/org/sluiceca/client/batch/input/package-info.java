/** The requests of a batch: read from a folder or from JSON lines, one at a time. */
@NullMarked
package org.sluiceca.client.batch.input;

import org.jspecify.annotations.NullMarked;
