@NullMarked
package org.sluiceca.load.cli;

import org.jspecify.annotations.NullMarked;
