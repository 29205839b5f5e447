/**
 * Builds metrics, health and tracing from the configuration. Entry: {@link
 * org.sluiceca.api.observe.config.ObserveConfiguration}.
 */
@NullMarked
package org.sluiceca.api.observe.config;

import org.jspecify.annotations.NullMarked;
