/** Builds the node's TLS identity from the configuration. */
@NullMarked
package org.sluiceca.api.platform.tls.config;

import org.jspecify.annotations.NullMarked;
