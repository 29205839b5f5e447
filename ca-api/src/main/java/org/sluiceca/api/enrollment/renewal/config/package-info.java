/** Builds renewals from the configuration. */
@NullMarked
package org.sluiceca.api.enrollment.renewal.config;

import org.jspecify.annotations.NullMarked;
