/** Exchanges over HTTP/1.1 whose answer is read while the request is sent. */
@NullMarked
package org.sluiceca.client.http.stream;

import org.jspecify.annotations.NullMarked;
