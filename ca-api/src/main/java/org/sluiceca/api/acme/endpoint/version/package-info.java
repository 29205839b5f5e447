/** Which version of each endpoint this node serves. */
@NullMarked
package org.sluiceca.api.acme.endpoint.version;

import org.jspecify.annotations.NullMarked;
