@NullMarked
package org.sluiceca.load.call;

import org.jspecify.annotations.NullMarked;
