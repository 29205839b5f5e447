/**
 * The configuration as one validated value, and the start and the end of a node. Entry: {@link
 * org.sluiceca.api.config.CaProperties}. Each feature has a package {@code config} that builds its
 * parts.
 */
@NullMarked
package org.sluiceca.api.config;

import org.jspecify.annotations.NullMarked;
