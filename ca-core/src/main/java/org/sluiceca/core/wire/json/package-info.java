/** JSON as strangers send it, read strictly. */
@NullMarked
package org.sluiceca.core.wire.json;

import org.jspecify.annotations.NullMarked;
