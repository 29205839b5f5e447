/** Builds revocation, CRLs and blocked keys and names from the configuration. */
@NullMarked
package org.sluiceca.api.revocation.config;

import org.jspecify.annotations.NullMarked;
