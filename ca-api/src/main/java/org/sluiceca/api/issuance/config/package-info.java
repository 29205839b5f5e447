/**
 * Builds the line and what finishes on it from the configuration. Entry: {@link
 * org.sluiceca.api.issuance.config.LineConfiguration}.
 */
@NullMarked
package org.sluiceca.api.issuance.config;

import org.jspecify.annotations.NullMarked;
