/** Tests of the clients of a drill. */
@NullMarked
package org.sluiceca.load.drill.client;

import org.jspecify.annotations.NullMarked;
