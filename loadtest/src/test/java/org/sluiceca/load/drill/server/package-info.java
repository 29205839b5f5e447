/** Tests of what a drill does to servers. */
@NullMarked
package org.sluiceca.load.drill.server;

import org.jspecify.annotations.NullMarked;
