/** Builds the ports and the logs from the configuration. */
@NullMarked
package org.sluiceca.api.http.config;

import org.jspecify.annotations.NullMarked;
