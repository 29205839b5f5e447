/** Endpoints of ACME, as files describe them, and their URLs. */
@NullMarked
package org.sluiceca.api.acme.endpoint;

import org.jspecify.annotations.NullMarked;
