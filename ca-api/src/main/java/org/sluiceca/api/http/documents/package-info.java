/** Serves the OpenAPI document and the problem types. */
@NullMarked
package org.sluiceca.api.http.documents;

import org.jspecify.annotations.NullMarked;
