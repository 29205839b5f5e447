/** The service's entry: {@link org.sluiceca.api.CaApplication}. */
@NullMarked
package org.sluiceca.api;

import org.jspecify.annotations.NullMarked;
