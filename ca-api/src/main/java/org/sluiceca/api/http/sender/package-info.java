/** From which network a request comes. */
@NullMarked
package org.sluiceca.api.http.sender;

import org.jspecify.annotations.NullMarked;
