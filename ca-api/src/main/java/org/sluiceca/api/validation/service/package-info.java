/** The validators of all methods as one, {@link org.sluiceca.api.validation.service.Validators}. */
@NullMarked
package org.sluiceca.api.validation.service;

import org.jspecify.annotations.NullMarked;
