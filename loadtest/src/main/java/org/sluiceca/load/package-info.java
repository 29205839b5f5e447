/**
 * What the launcher's load commands send: requests of foreign making. Knows the product only by its
 * REST interface. Entry: {@link org.sluiceca.load.CsrCorpus}.
 */
@NullMarked
package org.sluiceca.load;

import org.jspecify.annotations.NullMarked;
