/** CPU time of a node by part and by request, from a recording of the JVM. */
@NullMarked
package org.sluiceca.load.profile;

import org.jspecify.annotations.NullMarked;
