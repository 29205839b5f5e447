/** Tests of what is between clients and nodes, over real connections on the loopback interface. */
@NullMarked
package org.sluiceca.load.wan;

import org.jspecify.annotations.NullMarked;
