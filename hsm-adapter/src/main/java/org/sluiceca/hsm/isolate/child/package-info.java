/**
 * The process that a PKCS#11 module runs in: it answers the requests of one node and ends with it.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.isolate.child.ModuleMain}. Knows neither lanes nor keys.
 */
@NullMarked
package org.sluiceca.hsm.isolate.child;

import org.jspecify.annotations.NullMarked;
